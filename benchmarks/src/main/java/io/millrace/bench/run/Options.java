package io.millrace.bench.run;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a run may vary.
 *
 * @param docs documents to measure, or 0 for each scenario's own number
 * @param warmUp documents loaded before each measurement into an index that is thrown away
 * @param rounds how often every side is measured
 * @param heap the servers' heap, Xms = Xmx, as the JVM takes it
 * @param workers concurrent bulk requests
 * @param bulkSize documents per bulk
 * @param queries size of the query mix
 * @param passes timed passes over the mix
 * @param seed of documents and queries
 * @param rawLucene whether scenarios that know the raw-Lucene limit measure it
 * @param corpus real log lines, or null for the generator
 * @param work where nodes, indices and bulk bodies live during the run
 */
public record Options(
    long docs,
    long warmUp,
    int rounds,
    String heap,
    int workers,
    int bulkSize,
    int queries,
    int passes,
    long seed,
    boolean rawLucene,
    @Nullable Path corpus,
    Path work) {}
