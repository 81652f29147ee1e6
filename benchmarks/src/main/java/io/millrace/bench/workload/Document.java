package io.millrace.bench.workload;

import org.jspecify.annotations.Nullable;

/**
 * One document to index.
 *
 * @param id the caller's own id, or null to let the server choose one
 * @param source JSON in UTF-8, without a line break
 */
public record Document(@Nullable String id, byte[] source) {}
