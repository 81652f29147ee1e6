package io.millrace.kernel.slot;

/**
 * Of a visitor of stored fields ({@code StoredFieldVisitor}) that asks a question of a text in
 * {@code _source} and may be content with an outline of it. What keeps texts as templates and
 * variables asks once for each template, and spares the visitor the sources whose outline decides.
 */
public interface OutlinedSource extends PartialSource {
  /** In an outline: one byte or more that are not shown. A JSON text does not contain it. */
  byte HOLE = 1;

  /**
   * Whether the answer is known of every source with this outline, whatever stands in its holes.
   * Asked once of an outline, perhaps; the answer depends on nothing else.
   *
   * @param outline what {@link PartialSource} would be given, with holes in its one string; as many
   *     zeros as {@link #ZEROS} follow
   * @param length bytes of the outline
   */
  boolean decidedBy(byte[] outline, int length);

  /** Zero bytes behind an outline. */
  int ZEROS = 2;

  /**
   * Called instead of giving a source whose outline decides. Nothing of the document is given then
   * if the visitor wants no more fields ({@code Status.STOP}).
   */
  void decided();
}
