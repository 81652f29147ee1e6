package io.millrace.kernel.slot;

/**
 * Of a visitor of stored fields ({@code StoredFieldVisitor}): wants a few fields at the top of
 * {@code _source} and does without the others. What keeps {@code _source} by field may then give a
 * JSON object without them; what keeps it whole gives it whole. So the visitor looks for its fields
 * and relies on nothing else, neither on bytes nor on white space.
 */
public interface PartialSource {
  /**
   * Whether a field at the top of the source is wanted.
   *
   * @param key as it is written in the source, which may hold dots
   */
  boolean wants(String key);
}
