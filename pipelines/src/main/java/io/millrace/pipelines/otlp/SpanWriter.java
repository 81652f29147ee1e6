package io.millrace.pipelines.otlp;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.core.xcontent.XContentBuilder;

/** {@code Span} under the names that Data Prepper gives, with {@code @timestamp} as its start. */
final class SpanWriter implements RecordWriter {
  private static final String[] KINDS = {
    "SPAN_KIND_UNSPECIFIED",
    "SPAN_KIND_INTERNAL",
    "SPAN_KIND_SERVER",
    "SPAN_KIND_CLIENT",
    "SPAN_KIND_PRODUCER",
    "SPAN_KIND_CONSUMER"
  };

  @Override
  public long write(XContentBuilder out, Slice record, long arrived) throws IOException {
    long start = 0;
    long end = 0;
    int kind = 0;
    boolean root = true;
    String name = "";
    Slice status = Slice.EMPTY;
    List<Slice> attributes = new ArrayList<>();
    List<Slice> events = new ArrayList<>();
    List<Slice> links = new ArrayList<>();
    CodedInputStream in = record.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(1)) {
        LogWriter.id(out, "traceId", in);
      } else if (tag == Slice.sized(2)) {
        LogWriter.id(out, "spanId", in);
      } else if (tag == Slice.sized(3)) {
        LogWriter.text(out, "traceState", in.readString());
      } else if (tag == Slice.sized(4)) {
        int before = in.getTotalBytesRead();
        LogWriter.id(out, "parentSpanId", in);
        root = in.getTotalBytesRead() == before + 1; // an empty id
      } else if (tag == Slice.sized(5)) {
        name = in.readString();
      } else if (tag == Slice.varint(6)) {
        kind = in.readInt32();
      } else if (tag == Slice.fixed64(7)) {
        start = in.readFixed64();
      } else if (tag == Slice.fixed64(8)) {
        end = in.readFixed64();
      } else if (tag == Slice.sized(9)) {
        attributes.add(record.next(in));
      } else if (tag == Slice.varint(10)) {
        LogWriter.count(out, "droppedAttributesCount", in.readUInt32());
      } else if (tag == Slice.sized(11)) {
        events.add(record.next(in));
      } else if (tag == Slice.varint(12)) {
        LogWriter.count(out, "droppedEventsCount", in.readUInt32());
      } else if (tag == Slice.sized(13)) {
        links.add(record.next(in));
      } else if (tag == Slice.varint(14)) {
        LogWriter.count(out, "droppedLinksCount", in.readUInt32());
      } else if (tag == Slice.sized(15)) {
        status = record.next(in);
      } else if (tag == Slice.fixed32(16)) {
        LogWriter.count(out, "flags", in.readFixed32());
      } else {
        in.skipField(tag);
      }
    }
    out.field("@timestamp", Times.iso(start != 0 ? start : arrived));
    LogWriter.text(out, "name", name);
    if (root) {
      LogWriter.text(out, "traceGroup", name);
    }
    out.field("kind", kind >= 0 && kind < KINDS.length ? KINDS[kind] : Integer.toString(kind));
    if (start != 0) {
      out.field("startTime", Times.iso(start));
    }
    if (end != 0) {
      out.field("endTime", Times.iso(end));
    }
    if (start != 0 && end - start >= 0) {
      out.field("durationInNanos", end - start);
    }
    status(out, status);
    Attributes.write(out, "attributes", attributes);
    list(out, "events", events, SpanWriter::event);
    list(out, "links", links, SpanWriter::link);
    return start;
  }

  private static void status(XContentBuilder out, Slice status) throws IOException {
    int code = 0;
    String message = "";
    CodedInputStream in = status.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(2)) {
        message = in.readString();
      } else if (tag == Slice.varint(3)) {
        code = in.readInt32();
      } else {
        in.skipField(tag);
      }
    }
    out.startObject("status").field("code", code);
    LogWriter.text(out, "message", message);
    out.endObject();
  }

  /** Writes the fields of one element into an open object. */
  @FunctionalInterface
  private interface Element {
    void write(XContentBuilder out, Slice element) throws IOException;
  }

  private static void list(XContentBuilder out, String name, List<Slice> elements, Element element)
      throws IOException {
    if (elements.isEmpty()) {
      return;
    }
    out.startArray(name);
    for (Slice each : elements) {
      out.startObject();
      element.write(out, each);
      out.endObject();
    }
    out.endArray();
  }

  private static void event(XContentBuilder out, Slice event) throws IOException {
    List<Slice> attributes = new ArrayList<>();
    CodedInputStream in = event.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.fixed64(1)) {
        out.field("time", Times.iso(in.readFixed64()));
      } else if (tag == Slice.sized(2)) {
        LogWriter.text(out, "name", in.readString());
      } else if (tag == Slice.sized(3)) {
        attributes.add(event.next(in));
      } else if (tag == Slice.varint(4)) {
        LogWriter.count(out, "droppedAttributesCount", in.readUInt32());
      } else {
        in.skipField(tag);
      }
    }
    Attributes.write(out, "attributes", attributes);
  }

  private static void link(XContentBuilder out, Slice link) throws IOException {
    List<Slice> attributes = new ArrayList<>();
    CodedInputStream in = link.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(1)) {
        LogWriter.id(out, "traceId", in);
      } else if (tag == Slice.sized(2)) {
        LogWriter.id(out, "spanId", in);
      } else if (tag == Slice.sized(3)) {
        LogWriter.text(out, "traceState", in.readString());
      } else if (tag == Slice.sized(4)) {
        attributes.add(link.next(in));
      } else if (tag == Slice.varint(5)) {
        LogWriter.count(out, "droppedAttributesCount", in.readUInt32());
      } else if (tag == Slice.fixed32(6)) {
        LogWriter.count(out, "flags", in.readFixed32());
      } else {
        in.skipField(tag);
      }
    }
    Attributes.write(out, "attributes", attributes);
  }
}
