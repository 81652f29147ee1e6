package io.millrace.kernel.slot;

/**
 * Of a visitor of stored fields ({@code StoredFieldVisitor}): wants a few fields of {@code _source}
 * and does without the others. What keeps {@code _source} by field may then give a JSON object
 * without them; what keeps it whole gives it whole. So the visitor looks for its fields and relies
 * on nothing else, neither on bytes nor on white space.
 */
public interface PartialSource {
  /** How much of a field is wanted. */
  enum Part {
    /** Nothing. */
    NONE,
    /** If it is an object or a list of objects, what is asked for inside; otherwise all of it. */
    SOME,
    /** All. */
    ALL
  }

  /**
   * Whether anything of a field at the top of the source is wanted.
   *
   * @param key as it is written in the source, which may hold dots
   */
  boolean wants(String key);

  /**
   * How much of a field is wanted. Asked for fields at the top, and for those inside a field of
   * which {@link Part#SOME} is wanted.
   *
   * @param path the keys above it and its own, as they are written, with dots between them
   */
  default Part part(String path) {
    return wants(path) ? Part.ALL : Part.NONE;
  }
}
