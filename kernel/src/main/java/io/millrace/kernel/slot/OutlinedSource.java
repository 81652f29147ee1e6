package io.millrace.kernel.slot;

/**
 * Of a visitor of stored fields ({@code StoredFieldVisitor}) that asks a question of a text in
 * {@code _source} and may be content with an outline of it. What keeps texts as templates and
 * variables asks once for each template, and spares the visitor the sources whose outline decides.
 */
public interface OutlinedSource extends PartialSource {
  /**
   * In an outline: a run of letters and digits of ASCII that is not shown, or a UUID. A JSON text
   * does not contain it.
   */
  byte HOLE = 1;

  /** Of an outline that decides whatever stands in its holes. */
  int DECIDED = Integer.MAX_VALUE;

  /** Of an outline that does not decide. */
  int UNDECIDED = -1;

  /** Of an outline whose sources lack it, if no hole has more than {@link #LONGEST_HOLE} bytes. */
  int LACKING = -2;

  /**
   * Of an outline that decides by {@link #condition}, if no hole has more than {@link
   * #LONGEST_HOLE} bytes.
   */
  int BY_HOLES = -3;

  /** Bytes of what a hole may hold where it matters: a UUID, or a checksum in hexadecimal. */
  int LONGEST_HOLE = 64;

  /**
   * Whether the answer is known of every source with this outline. It depends on the outline alone,
   * so who asks may keep it for all sources with that outline.
   *
   * @param outline what {@link PartialSource} would be given, with holes in its one string; as many
   *     zeros as {@link #ZEROS} follow
   * @param length bytes of the outline
   * @return {@link #DECIDED}, {@link #UNDECIDED}, {@link #LACKING}, {@link #BY_HOLES}, or the bytes
   *     that a hole may have at most
   */
  int decidedBy(byte[] outline, int length);

  /**
   * What must stand in the holes of an outline that was answered with {@link #BY_HOLES}; it depends
   * on the outline alone.
   *
   * @param outline as {@link #decidedBy} had it
   */
  default HoleCondition condition(byte[] outline, int length) {
    throw new UnsupportedOperationException("no outline is decided by its holes");
  }

  /**
   * Tells what is known of the documents about the one that is being read, where many of them are
   * read. Called at most once for each of their blocks in a row.
   */
  default void outlines(SourceOutlines outlines) {}

  /** Zero bytes behind an outline. */
  int ZEROS = 2;

  /**
   * Called instead of giving a source whose outline decides. Nothing of the document is given then
   * if the visitor wants no more fields ({@code Status.STOP}).
   *
   * @param holds the answer
   */
  void decided(boolean holds);
}
