package io.millrace.pipelines.spanfilter;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes spans out of a segment, which is a message {@code SegmentObject} of SkyWalking's protocol
 * v3. Whatever is no span is copied as it is.
 *
 * <p>Entry spans and spans without a parent always stay: a segment is found and drawn by them. The
 * children of a span that goes become children of its parent.
 */
final class SegmentFilter {
  private static final int ENTRY = 0;

  /** What a span says, as far as it matters here. */
  private record Span(
      byte[] bytes,
      int id,
      int parent,
      long took,
      int type,
      int layer,
      int component,
      boolean error,
      String name) {}

  /**
   * A segment without the spans.
   *
   * @param bytes the message; the one that was given when nothing was taken out
   */
  record Filtered(byte[] bytes, int spans, int dropped) {}

  private SegmentFilter() {}

  /**
   * Takes the spans out that the rule means.
   *
   * @throws IOException when this is no segment
   */
  static Filtered filter(byte[] segment, SpanRule rule) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(segment.length);
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    List<Span> spans = new ArrayList<>();
    String trace = "";
    CodedInputStream in = CodedInputStream.newInstance(segment);
    int from = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == sized(3)) {
        spans.add(span(in.readByteArray()));
      } else {
        if (tag == sized(1)) {
          trace = in.readString();
        } else {
          in.skipField(tag);
        }
        out.writeRawBytes(segment, from, in.getTotalBytesRead() - from);
      }
      from = in.getTotalBytesRead();
    }
    Map<Integer, Integer> parents = new HashMap<>();
    if (!rule.keeps(trace)) {
      for (Span span : spans) {
        if (goes(span, rule)) {
          parents.put(span.id, span.parent);
        }
      }
    }
    if (parents.isEmpty()) {
      return new Filtered(segment, spans.size(), 0);
    }
    for (Span span : spans) {
      if (!parents.containsKey(span.id)) {
        int parent = span.parent;
        for (int i = 0; parents.containsKey(parent) && i <= spans.size(); i++) {
          parent = parents.get(parent);
        }
        out.writeByteArray(3, parent == span.parent ? span.bytes : withParent(span.bytes, parent));
      }
    }
    out.flush();
    return new Filtered(bytes.toByteArray(), spans.size(), parents.size());
  }

  private static boolean goes(Span span, SpanRule rule) {
    return span.type != ENTRY
        && span.parent >= 0
        && !span.error
        && span.took < rule.belowMillis()
        && rule.means(span.component, span.layer, span.name);
  }

  private static Span span(byte[] bytes) throws IOException {
    int id = 0;
    int parent = 0;
    long start = 0;
    long end = 0;
    int type = 0;
    int layer = 0;
    int component = 0;
    boolean error = false;
    String name = "";
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == varint(1)) {
        id = in.readInt32();
      } else if (tag == varint(2)) {
        parent = in.readInt32();
      } else if (tag == varint(3)) {
        start = in.readInt64();
      } else if (tag == varint(4)) {
        end = in.readInt64();
      } else if (tag == sized(6)) {
        name = in.readString();
      } else if (tag == varint(8)) {
        type = in.readInt32();
      } else if (tag == varint(9)) {
        layer = in.readInt32();
      } else if (tag == varint(10)) {
        component = in.readInt32();
      } else if (tag == varint(11)) {
        error = in.readBool();
      } else {
        in.skipField(tag);
      }
    }
    return new Span(bytes, id, parent, end - start, type, layer, component, error, name);
  }

  private static byte[] withParent(byte[] span, int parent) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(span.length + 10);
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    CodedInputStream in = CodedInputStream.newInstance(span);
    int from = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      in.skipField(tag);
      if (tag != varint(2)) {
        out.writeRawBytes(span, from, in.getTotalBytesRead() - from);
      }
      from = in.getTotalBytesRead();
    }
    out.writeInt32(2, parent);
    out.flush();
    return bytes.toByteArray();
  }

  private static int sized(int field) {
    return field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  private static int varint(int field) {
    return field << 3 | WireFormat.WIRETYPE_VARINT;
  }
}
