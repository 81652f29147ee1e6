package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** What the documents of a run hold: all of it follows from the value. */
final class ValueDocument {
  /** The mapping of every index. */
  static final String MAPPING =
      "{\"properties\":{\"n\":{\"type\":\"long\"},\"trace_id\":{\"type\":\"keyword\"},"
          + "\"message\":{\"type\":\"text\"}}}";

  private ValueDocument() {}

  /** The document with this value. */
  static String source(long value) {
    return String.format(
        Locale.ROOT,
        "{\"n\":%d,\"trace_id\":\"%016x\",\"message\":\"%s\"}",
        value,
        value * 0x9e3779b97f4a7c15L,
        message(value));
  }

  private static String message(long value) {
    return "request " + value + " took " + value % 997 + " ms";
  }

  /**
   * The value of a document, or one that nobody writes when the document is not {@link #source} of
   * its value.
   */
  static long value(JsonNode source) {
    long value = source.path("n").asLong(-1);
    boolean whole =
        source.path("message").asText().equals(message(value))
            && source
                .path("trace_id")
                .asText()
                .equals(String.format(Locale.ROOT, "%016x", value * 0x9e3779b97f4a7c15L));
    return whole ? value : -1;
  }
}
