package io.millrace.bench.answers;

/**
 * One search of the mix.
 *
 * @param kind what it exercises, for example {@code term} or {@code fetch-10}; latencies are
 *     reported by kind
 * @param text whether the answer depends on the analysis of a text field
 * @param body the JSON to send
 */
public record Query(String kind, boolean text, byte[] body) {}
