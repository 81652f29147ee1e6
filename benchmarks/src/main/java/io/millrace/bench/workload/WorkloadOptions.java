package io.millrace.bench.workload;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a run may vary about its documents.
 *
 * @param corpus a folder with real log lines, or null for the project's own generator
 * @param seed of all randomness
 */
public record WorkloadOptions(@Nullable Path corpus, long seed) {}
