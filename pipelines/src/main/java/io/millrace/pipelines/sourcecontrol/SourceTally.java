package io.millrace.pipelines.sourcecontrol;

import java.util.LinkedHashMap;
import java.util.Map;

/** Counts of one source, or of all; not thread-safe. */
final class SourceTally {
  private long bytes;
  private long documents;
  private long oversized;
  private long dropped;
  private long error;
  private final long[] levels = new long[SeverityStep.values().length];
  private final long[] droppedLevels = new long[SeverityStep.values().length];

  /**
   * Adds a document.
   *
   * @param weight how many documents it stands for
   */
  void add(long size, SeverityStep level, long weight, boolean tooLarge) {
    bytes += size * weight;
    documents += weight;
    levels[level.ordinal()] += weight;
    oversized += tooLarge ? 1 : 0;
  }

  /** Adds a document that was refused. */
  void drop(SeverityStep level) {
    dropped++;
    droppedLevels[level.ordinal()]++;
  }

  void add(SourceTally other) {
    bytes += other.bytes;
    documents += other.documents;
    oversized += other.oversized;
    dropped += other.dropped;
    for (int i = 0; i < levels.length; i++) {
      levels[i] += other.levels[i];
      droppedLevels[i] += other.droppedLevels[i];
    }
  }

  /** Takes the place of another, whose bytes may have been this one's. */
  void inherit(long fromBytes) {
    bytes += fromBytes;
    error = fromBytes;
  }

  long bytes() {
    return bytes;
  }

  long documents() {
    return documents;
  }

  long dropped() {
    return dropped;
  }

  /**
   * The counts under their names; {@code bytes_error} is how much of the bytes may be another's.
   */
  Map<String, Object> report() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("bytes", bytes);
    if (error > 0) {
      out.put("bytes_error", error);
    }
    out.put("documents", documents);
    out.put("levels", mix(levels));
    out.put("oversized", oversized);
    out.put("dropped", dropped);
    if (dropped > 0) {
      out.put("dropped_levels", mix(droppedLevels));
    }
    return out;
  }

  private static Map<String, Object> mix(long[] levels) {
    Map<String, Object> mix = new LinkedHashMap<>();
    for (SeverityStep level : SeverityStep.values()) {
      mix.put(level.key(), levels[level.ordinal()]);
    }
    return mix;
  }
}
