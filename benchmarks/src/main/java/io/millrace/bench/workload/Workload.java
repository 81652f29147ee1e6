package io.millrace.bench.workload;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * The documents of a scenario and the mapping that suits them.
 *
 * @param name short name, part of file names
 * @param description what the documents look like, for the report
 * @param documents opens the endless stream of documents; every call gives the same ones
 * @param mapping the plain mapping: {@code {"properties": ..}}; sides may bring their own
 * @param order fields that together differ between any two documents: sorting by them makes the
 *     order of hits defined, so that answers can be compared; empty leaves answers to counts
 * @param bulkSize documents per bulk, or 0 for the run's own
 * @param fixedBulks number of bulks, or 0 for as many as the run's documents need
 * @param distinct from the number of documents sent to the number a search must find
 */
public record Workload(
    String name,
    String description,
    Opener documents,
    Map<String, Object> mapping,
    List<String> order,
    int bulkSize,
    int fixedBulks,
    LongUnaryOperator distinct) {

  /** Opens the stream of documents. */
  @FunctionalInterface
  public interface Opener {
    Iterator<Document> open(WorkloadOptions options);
  }

  /** The number of bulks for a run of {@code docs} documents in bulks of {@code runBulkSize}. */
  public int bulks(long docs, int runBulkSize) {
    if (fixedBulks > 0) {
      return fixedBulks;
    }
    int size = bulkSize(runBulkSize);
    return Math.toIntExact((docs + size - 1) / size);
  }

  /** Documents per bulk in a run whose own size is {@code runBulkSize}. */
  public int bulkSize(int runBulkSize) {
    return bulkSize > 0 ? bulkSize : runBulkSize;
  }
}
