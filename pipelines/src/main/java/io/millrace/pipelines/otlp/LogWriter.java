package io.millrace.pipelines.otlp;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * {@code LogRecord} under the names that Data Prepper gives, with {@code @timestamp} as the time.
 */
final class LogWriter implements RecordWriter {
  private static final String[] LEVELS = {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"};

  @Override
  public long write(XContentBuilder out, Slice record, long arrived) throws IOException {
    long time = 0;
    long observed = 0;
    int number = 0;
    String level = "";
    Slice body = Slice.EMPTY;
    List<Slice> attributes = new ArrayList<>();
    CodedInputStream in = record.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.fixed64(1)) {
        time = in.readFixed64();
      } else if (tag == Slice.varint(2)) {
        number = in.readInt32();
      } else if (tag == Slice.sized(3)) {
        level = in.readString();
      } else if (tag == Slice.sized(5)) {
        body = record.next(in);
      } else if (tag == Slice.sized(6)) {
        attributes.add(record.next(in));
      } else if (tag == Slice.varint(7)) {
        count(out, "droppedAttributesCount", in.readUInt32());
      } else if (tag == Slice.fixed32(8)) {
        count(out, "flags", in.readFixed32());
      } else if (tag == Slice.sized(9)) {
        id(out, "traceId", in);
      } else if (tag == Slice.sized(10)) {
        id(out, "spanId", in);
      } else if (tag == Slice.fixed64(11)) {
        observed = in.readFixed64();
      } else if (tag == Slice.sized(12)) {
        text(out, "eventName", in.readString());
      } else {
        in.skipField(tag);
      }
    }
    long own = time != 0 ? time : observed;
    out.field("@timestamp", Times.iso(own != 0 ? own : arrived));
    if (observed != 0) {
      out.field("observedTime", Times.iso(observed));
    }
    severity(out, number, level);
    body(out, body);
    Attributes.write(out, "attributes", attributes);
    return own;
  }

  /** A record that gives a number only gets the level's name: people search for names. */
  private static void severity(XContentBuilder out, int number, String text) throws IOException {
    String name = text.isEmpty() && number >= 1 && number <= 24 ? LEVELS[(number - 1) / 4] : text;
    if (number == 0 && name.isEmpty()) {
      return;
    }
    out.startObject("severity");
    if (number != 0) {
      out.field("number", number);
    }
    text(out, "text", name);
    out.endObject();
  }

  /** Text always has one name and structure another: one field cannot be mapped as both. */
  private static void body(XContentBuilder out, Slice body) throws IOException {
    CodedInputStream in = body.fields();
    if (in.readTag() == Slice.sized(1)) { // nearly every body; read once
      out.field("body", in.readString());
      return;
    }
    if (Attributes.structured(body)) {
      out.field("structuredBody");
      Attributes.value(out, body, 0);
      return;
    }
    String text = Attributes.scalar(body);
    if (text != null) {
      out.field("body", text);
    }
  }

  static void id(XContentBuilder out, String name, CodedInputStream in) throws IOException {
    text(out, name, HexFormat.of().formatHex(in.readByteArray()));
  }

  static void text(XContentBuilder out, String name, @Nullable String text) throws IOException {
    if (text != null && !text.isEmpty()) {
      out.field(name, text);
    }
  }

  static void count(XContentBuilder out, String name, int count) throws IOException {
    if (count != 0) {
      out.field(name, Integer.toUnsignedLong(count));
    }
  }
}
