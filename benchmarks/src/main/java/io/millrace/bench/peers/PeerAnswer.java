package io.millrace.bench.peers;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a side found, in a form in which sides can be compared.
 *
 * @param times of the documents, milliseconds since 1970, newest first
 * @param counts documents by start of the interval (milliseconds) and level, with a space between
 */
public record PeerAnswer(List<Long> times, SortedMap<String, Long> counts) {
  /** An answer of documents: objects that hold their time under a name. */
  static PeerAnswer ofRows(Iterable<JsonNode> rows, String timeField) {
    List<Long> times = new ArrayList<>();
    rows.forEach(row -> times.add(millis(row.path(timeField))));
    times.sort(Comparator.reverseOrder());
    return new PeerAnswer(List.copyOf(times), new TreeMap<>());
  }

  /** An answer of counts, to which {@link #add} gives its buckets. */
  static PeerAnswer ofCounts() {
    return new PeerAnswer(List.of(), new TreeMap<>());
  }

  /** Adds a bucket; one without documents is the same as none. */
  PeerAnswer add(JsonNode start, String level, long count) {
    if (count > 0) {
      counts.put(millis(start) + " " + level, count);
    }
    return this;
  }

  /** All documents that were counted. */
  long counted() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * A time as sides write it: milliseconds, or ISO-8601 with or without a zone (then UTC), or the
   * first of a list of these.
   */
  static long millis(JsonNode time) {
    JsonNode one = time.isArray() ? time.path(0) : time;
    if (one.isNumber()) {
      return one.longValue();
    }
    String text = one.asText().replace(' ', 'T');
    try {
      if (text.endsWith("Z")) {
        return Instant.parse(text).toEpochMilli();
      }
      return text.lastIndexOf('+') > 0
          ? OffsetDateTime.parse(text).toInstant().toEpochMilli()
          : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC).toEpochMilli();
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("not a time: " + time, e);
    }
  }
}
