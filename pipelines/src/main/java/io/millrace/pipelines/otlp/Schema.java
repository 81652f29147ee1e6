package io.millrace.pipelines.otlp;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of opentelemetry-proto 1.x that a request for logs or traces is made of: what {@link
 * JsonToWire} needs to know of them.
 */
final class Schema {
  /** How a value stands in JSON and on the wire. */
  enum Kind {
    STRING,
    /** Bytes as hexadecimal digits: ids. */
    HEX,
    /** Bytes in base64: everything else. */
    BASE64,
    FIXED64,
    FIXED32,
    /** int64, uint32 and enums. */
    VARINT,
    BOOL,
    DOUBLE,
    MESSAGE
  }

  /**
   * A field.
   *
   * @param message the type of a field of kind MESSAGE; else null
   */
  record Field(int number, Kind kind, boolean repeated, @Nullable Message message) {}

  /** A message: its fields by their names in JSON. */
  static final class Message {
    private final Map<String, Field> fields = new HashMap<>();

    Message with(String name, int number, Kind kind) {
      fields.put(name, new Field(number, kind, false, null));
      return this;
    }

    Message with(String name, int number, Message message) {
      fields.put(name, new Field(number, Kind.MESSAGE, false, message));
      return this;
    }

    Message list(String name, int number, Message message) {
      fields.put(name, new Field(number, Kind.MESSAGE, true, message));
      return this;
    }

    /** The field of this name, in camel case or as in the .proto file; null for an unknown one. */
    @Nullable Field field(String name) {
      Field field = fields.get(name);
      return field != null || name.indexOf('_') < 0 ? field : fields.get(camel(name));
    }

    private static String camel(String name) {
      StringBuilder out = new StringBuilder();
      for (String part : name.split("_")) {
        out.append(
            out.isEmpty() || part.isEmpty()
                ? part
                : part.substring(0, 1).toUpperCase(Locale.ROOT) + part.substring(1));
      }
      return out.toString();
    }
  }

  private Schema() {}

  /** The request of one signal. */
  static Message request(Signal signal) {
    Message value = new Message();
    Message pair = new Message().with("key", 1, Kind.STRING).with("value", 2, value);
    value
        .with("stringValue", 1, Kind.STRING)
        .with("boolValue", 2, Kind.BOOL)
        .with("intValue", 3, Kind.VARINT)
        .with("doubleValue", 4, Kind.DOUBLE)
        .with("arrayValue", 5, new Message().list("values", 1, value))
        .with("kvlistValue", 6, new Message().list("values", 1, pair))
        .with("bytesValue", 7, Kind.BASE64);
    Message resource =
        new Message().list("attributes", 1, pair).with("droppedAttributesCount", 2, Kind.VARINT);
    Message scope =
        new Message()
            .with("name", 1, Kind.STRING)
            .with("version", 2, Kind.STRING)
            .list("attributes", 3, pair)
            .with("droppedAttributesCount", 4, Kind.VARINT);
    boolean logs = signal == Signal.LOGS;
    Message scoped =
        new Message()
            .with("scope", 1, scope)
            .list(logs ? "logRecords" : "spans", 2, logs ? logRecord(value, pair) : span(pair))
            .with("schemaUrl", 3, Kind.STRING);
    Message of =
        new Message()
            .with("resource", 1, resource)
            .list(logs ? "scopeLogs" : "scopeSpans", 2, scoped)
            .with("schemaUrl", 3, Kind.STRING);
    return new Message().list(logs ? "resourceLogs" : "resourceSpans", 1, of);
  }

  private static Message logRecord(Message value, Message pair) {
    return new Message()
        .with("timeUnixNano", 1, Kind.FIXED64)
        .with("severityNumber", 2, Kind.VARINT)
        .with("severityText", 3, Kind.STRING)
        .with("body", 5, value)
        .list("attributes", 6, pair)
        .with("droppedAttributesCount", 7, Kind.VARINT)
        .with("flags", 8, Kind.FIXED32)
        .with("traceId", 9, Kind.HEX)
        .with("spanId", 10, Kind.HEX)
        .with("observedTimeUnixNano", 11, Kind.FIXED64)
        .with("eventName", 12, Kind.STRING);
  }

  private static Message span(Message pair) {
    Message event =
        new Message()
            .with("timeUnixNano", 1, Kind.FIXED64)
            .with("name", 2, Kind.STRING)
            .list("attributes", 3, pair)
            .with("droppedAttributesCount", 4, Kind.VARINT);
    Message link =
        new Message()
            .with("traceId", 1, Kind.HEX)
            .with("spanId", 2, Kind.HEX)
            .with("traceState", 3, Kind.STRING)
            .list("attributes", 4, pair)
            .with("droppedAttributesCount", 5, Kind.VARINT)
            .with("flags", 6, Kind.FIXED32);
    Message status = new Message().with("message", 2, Kind.STRING).with("code", 3, Kind.VARINT);
    return new Message()
        .with("traceId", 1, Kind.HEX)
        .with("spanId", 2, Kind.HEX)
        .with("traceState", 3, Kind.STRING)
        .with("parentSpanId", 4, Kind.HEX)
        .with("flags", 16, Kind.FIXED32)
        .with("name", 5, Kind.STRING)
        .with("kind", 6, Kind.VARINT)
        .with("startTimeUnixNano", 7, Kind.FIXED64)
        .with("endTimeUnixNano", 8, Kind.FIXED64)
        .list("attributes", 9, pair)
        .with("droppedAttributesCount", 10, Kind.VARINT)
        .list("events", 11, event)
        .with("droppedEventsCount", 12, Kind.VARINT)
        .list("links", 13, link)
        .with("droppedLinksCount", 14, Kind.VARINT)
        .with("status", 15, status);
  }
}
