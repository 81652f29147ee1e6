package io.millrace.doctor.finding;

/**
 * One number that a finding rests on.
 *
 * @param path the request and the field of its answer, such as {@code GET /_nodes: nodes.n1.jvm}
 * @param value what stands there, with its unit
 */
public record Evidence(String path, String value) {}
