package io.millrace.doctor.snapshot;

/**
 * One copy of a shard.
 *
 * @param node its name, empty while it is unassigned
 * @param docs live documents, 0 when they were not asked for
 * @param bytes of its store, -1 when they were not asked for
 */
public record Shard(
    String index,
    int number,
    boolean primary,
    String state,
    long docs,
    long bytes,
    String node,
    String unassignedReason) {
  /** The request that shows people the same, for evidence. */
  public static final String SHOWN = "GET /_cat/shards";

  /** Checks say nothing of the size of a shard with at most so many bytes and documents. */
  public static final long LARGE_BYTES = 5L << 30;

  public static final long LARGE_DOCS = 1_500_000_000L;

  public boolean unassigned() {
    return state.equals("UNASSIGNED");
  }

  /** The request and the row in its answer, for evidence. */
  public String path() {
    return SHOWN + ": " + index + " " + number;
  }
}
