package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;

/**
 * What identifies one version of a document: who was primary, the number of the operation on its
 * shard, and the document's own version.
 *
 * <p>Ordered as the primaries carried the operations out: by term, then by number.
 */
record Stamp(long primaryTerm, long seqNo, long version) implements Comparable<Stamp> {
  /** Of an absent document, and of a write whose outcome is unknown. */
  static final Stamp NONE = new Stamp(-1, -1, -1);

  private static final Comparator<Stamp> ORDER =
      Comparator.comparingLong(Stamp::primaryTerm).thenComparingLong(Stamp::seqNo);

  /** Reads it from an answer to a write, from one to a get, or from a hit. */
  static Stamp of(JsonNode answer) {
    return new Stamp(
        answer.path("_primary_term").asLong(-1),
        answer.path("_seq_no").asLong(-1),
        answer.path("_version").asLong(-1));
  }

  @Override
  public int compareTo(Stamp other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return seqNo < 0 ? "-" : "term " + primaryTerm + " seq_no " + seqNo + " version " + version;
  }
}
