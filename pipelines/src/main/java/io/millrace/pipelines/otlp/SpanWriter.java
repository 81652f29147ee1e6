package io.millrace.pipelines.otlp;

import com.google.protobuf.CodedInputStream;
import io.millrace.pipelines.intake.ObjectBytes;
import io.millrace.pipelines.intake.ObjectBytes.Name;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

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

  private static final Name TRACE_ID = Name.of("traceId");
  private static final Name SPAN_ID = Name.of("spanId");
  private static final Name PARENT_SPAN_ID = Name.of("parentSpanId");
  private static final Name TRACE_STATE = Name.of("traceState");
  private static final Name NAME = Name.of("name");
  private static final Name DROPPED_EVENTS = Name.of("droppedEventsCount");
  private static final Name DROPPED_LINKS = Name.of("droppedLinksCount");
  private static final Name FLAGS = Name.of("flags");
  private static final Name TRACE_GROUP = Name.of("traceGroup");
  private static final Name MESSAGE = Name.of("message");
  private static final Name TIMESTAMP = Name.of("@timestamp");
  private static final Name START_TIME = Name.of("startTime");
  private static final Name END_TIME = Name.of("endTime");
  private static final Name TIME = Name.of("time");
  private static final Name KIND = Name.of("kind");
  private static final Name DURATION = Name.of("durationInNanos");
  private static final Name STATUS = Name.of("status");
  private static final Name CODE = Name.of("code");
  private static final Name EVENTS = Name.of("events");
  private static final Name LINKS = Name.of("links");

  @Override
  public long write(ObjectBytes out, Slice record, long arrived) throws IOException {
    long start = 0;
    long end = 0;
    int kind = 0;
    boolean root = true;
    Slice name = Slice.EMPTY;
    Slice status = Slice.EMPTY;
    List<Slice> attributes = new ArrayList<>();
    List<Slice> events = new ArrayList<>();
    List<Slice> links = new ArrayList<>();
    CodedInputStream in = record.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(1)) {
        LogWriter.id(out, TRACE_ID, record.next(in));
      } else if (tag == Slice.sized(2)) {
        LogWriter.id(out, SPAN_ID, record.next(in));
      } else if (tag == Slice.sized(3)) {
        LogWriter.text(out, TRACE_STATE, record.next(in));
      } else if (tag == Slice.sized(4)) {
        Slice parent = record.next(in);
        LogWriter.id(out, PARENT_SPAN_ID, parent);
        root = parent.length() == 0;
      } else if (tag == Slice.sized(5)) {
        name = record.next(in);
      } else if (tag == Slice.varint(6)) {
        kind = in.readInt32();
      } else if (tag == Slice.fixed64(7)) {
        start = in.readFixed64();
      } else if (tag == Slice.fixed64(8)) {
        end = in.readFixed64();
      } else if (tag == Slice.sized(9)) {
        attributes.add(record.next(in));
      } else if (tag == Slice.varint(10)) {
        LogWriter.count(out, LogWriter.DROPPED, in.readUInt32());
      } else if (tag == Slice.sized(11)) {
        events.add(record.next(in));
      } else if (tag == Slice.varint(12)) {
        LogWriter.count(out, DROPPED_EVENTS, in.readUInt32());
      } else if (tag == Slice.sized(13)) {
        links.add(record.next(in));
      } else if (tag == Slice.varint(14)) {
        LogWriter.count(out, DROPPED_LINKS, in.readUInt32());
      } else if (tag == Slice.sized(15)) {
        status = record.next(in);
      } else if (tag == Slice.fixed32(16)) {
        LogWriter.count(out, FLAGS, in.readFixed32());
      } else {
        in.skipField(tag);
      }
    }
    Times.write(out, TIMESTAMP, start != 0 ? start : arrived);
    LogWriter.text(out, NAME, name);
    if (root) {
      LogWriter.text(out, TRACE_GROUP, name);
    }
    out.name(KIND);
    out.text(kind >= 0 && kind < KINDS.length ? KINDS[kind] : Integer.toString(kind));
    if (start != 0) {
      Times.write(out, START_TIME, start);
    }
    if (end != 0) {
      Times.write(out, END_TIME, end);
    }
    if (start != 0 && end - start >= 0) {
      out.name(DURATION);
      out.value(end - start);
    }
    status(out, status);
    Attributes.write(out, attributes);
    list(out, EVENTS, events, SpanWriter::event);
    list(out, LINKS, links, SpanWriter::link);
    return start;
  }

  private static void status(ObjectBytes out, Slice status) throws IOException {
    int code = 0;
    Slice message = Slice.EMPTY;
    CodedInputStream in = status.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(2)) {
        message = status.next(in);
      } else if (tag == Slice.varint(3)) {
        code = in.readInt32();
      } else {
        in.skipField(tag);
      }
    }
    out.startObject(STATUS);
    out.name(CODE);
    out.value(code);
    LogWriter.text(out, MESSAGE, message);
    out.endObject();
  }

  /** Writes the fields of one element into an open object. */
  @FunctionalInterface
  private interface Element {
    void write(ObjectBytes out, Slice element) throws IOException;
  }

  private static void list(ObjectBytes out, Name name, List<Slice> elements, Element element)
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

  private static void event(ObjectBytes out, Slice event) throws IOException {
    List<Slice> attributes = new ArrayList<>();
    CodedInputStream in = event.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.fixed64(1)) {
        Times.write(out, TIME, in.readFixed64());
      } else if (tag == Slice.sized(2)) {
        LogWriter.text(out, NAME, event.next(in));
      } else if (tag == Slice.sized(3)) {
        attributes.add(event.next(in));
      } else if (tag == Slice.varint(4)) {
        LogWriter.count(out, LogWriter.DROPPED, in.readUInt32());
      } else {
        in.skipField(tag);
      }
    }
    Attributes.write(out, attributes);
  }

  private static void link(ObjectBytes out, Slice link) throws IOException {
    List<Slice> attributes = new ArrayList<>();
    CodedInputStream in = link.fields();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == Slice.sized(1)) {
        LogWriter.id(out, TRACE_ID, link.next(in));
      } else if (tag == Slice.sized(2)) {
        LogWriter.id(out, SPAN_ID, link.next(in));
      } else if (tag == Slice.sized(3)) {
        LogWriter.text(out, TRACE_STATE, link.next(in));
      } else if (tag == Slice.sized(4)) {
        attributes.add(link.next(in));
      } else if (tag == Slice.varint(5)) {
        LogWriter.count(out, LogWriter.DROPPED, in.readUInt32());
      } else if (tag == Slice.fixed32(6)) {
        LogWriter.count(out, FLAGS, in.readFixed32());
      } else {
        in.skipField(tag);
      }
    }
    Attributes.write(out, attributes);
  }
}
