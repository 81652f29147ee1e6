package io.millrace.pipelines.otlp;

import com.google.protobuf.CodedInputStream;
import io.millrace.pipelines.intake.ObjectBytes;
import io.millrace.pipelines.intake.ObjectBytes.Name;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code LogRecord} under the names that Data Prepper gives, with {@code @timestamp} as the time.
 */
final class LogWriter implements RecordWriter {
  private static final String[] LEVELS = {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"};

  static final Name DROPPED = Name.of("droppedAttributesCount");
  private static final Name FLAGS = Name.of("flags");
  private static final Name TRACE_ID = Name.of("traceId");
  private static final Name SPAN_ID = Name.of("spanId");
  private static final Name EVENT_NAME = Name.of("eventName");
  private static final Name TIMESTAMP = Name.of("@timestamp");
  private static final Name OBSERVED_TIME = Name.of("observedTime");
  private static final Name SEVERITY = Name.of("severity");
  private static final Name NUMBER = Name.of("number");
  private static final Name TEXT = Name.of("text");
  private static final Name BODY = Name.of("body");
  private static final Name STRUCTURED_BODY = Name.of("structuredBody");

  @Override
  public long write(ObjectBytes out, Slice record, long arrived) throws IOException {
    long time = 0;
    long observed = 0;
    int number = 0;
    Slice level = Slice.EMPTY;
    Slice body = Slice.EMPTY;
    List<Slice> attributes = new ArrayList<>();
    CodedInputStream in = record.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.fixed64(1)) {
        time = in.readFixed64();
      } else if (tag == Slice.varint(2)) {
        number = in.readInt32();
      } else if (tag == Slice.sized(3)) {
        level = record.next(in);
      } else if (tag == Slice.sized(5)) {
        body = record.next(in);
      } else if (tag == Slice.sized(6)) {
        attributes.add(record.next(in));
      } else if (tag == Slice.varint(7)) {
        count(out, DROPPED, in.readUInt32());
      } else if (tag == Slice.fixed32(8)) {
        count(out, FLAGS, in.readFixed32());
      } else if (tag == Slice.sized(9)) {
        id(out, TRACE_ID, record.next(in));
      } else if (tag == Slice.sized(10)) {
        id(out, SPAN_ID, record.next(in));
      } else if (tag == Slice.fixed64(11)) {
        observed = in.readFixed64();
      } else if (tag == Slice.sized(12)) {
        text(out, EVENT_NAME, record.next(in));
      } else {
        in.skipField(tag);
      }
    }
    long own = time != 0 ? time : observed;
    Times.write(out, TIMESTAMP, own != 0 ? own : arrived);
    if (observed != 0) {
      Times.write(out, OBSERVED_TIME, observed);
    }
    severity(out, number, level);
    body(out, body);
    Attributes.write(out, attributes);
    return own;
  }

  /** A record that gives a number only gets the level's name: people search for names. */
  private static void severity(ObjectBytes out, int number, Slice text) {
    boolean named = text.length() > 0;
    if (number == 0 && !named) {
      return;
    }
    out.startObject(SEVERITY);
    if (number != 0) {
      out.name(NUMBER);
      out.value(number);
    }
    if (named) {
      text(out, TEXT, text);
    } else if (number >= 1 && number <= 24) {
      out.name(TEXT);
      out.text(LEVELS[(number - 1) / 4]);
    }
    out.endObject();
  }

  /** Text always has one name and structure another: one field cannot be mapped as both. */
  private static void body(ObjectBytes out, Slice body) throws IOException {
    CodedInputStream in = body.fields();
    if (in.readTag() == Slice.sized(1)) { // nearly every body; read once
      out.name(BODY);
      body.next(in).write(out);
      return;
    }
    if (Attributes.structured(body)) {
      out.name(STRUCTURED_BODY);
      Attributes.value(out, body, 0);
      return;
    }
    String text = Attributes.scalar(body);
    if (text != null) {
      out.name(BODY);
      out.text(text);
    }
  }

  /** An id in hexadecimal digits; nothing for an empty one. */
  static void id(ObjectBytes out, Name name, Slice id) {
    if (id.length() > 0) {
      out.name(name);
      out.hex(id.bytes(), id.from(), id.length());
    }
  }

  /** A text; nothing for an empty one. */
  static void text(ObjectBytes out, Name name, Slice text) {
    if (text.length() > 0) {
      out.name(name);
      text.write(out);
    }
  }

  /** A count or flags without a sign; nothing for 0. */
  static void count(ObjectBytes out, Name name, int count) {
    if (count != 0) {
      out.name(name);
      out.value(Integer.toUnsignedLong(count));
    }
  }
}
