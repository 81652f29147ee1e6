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

  /**
   * Whether the answer is known of every source with this outline. It depends on the outline alone,
   * so who asks may keep it for all sources with that outline.
   *
   * @param outline what {@link PartialSource} would be given, with holes in its one string; as many
   *     zeros as {@link #ZEROS} follow
   * @param length bytes of the outline
   * @return {@link #DECIDED}, {@link #UNDECIDED}, or the bytes that a hole may have at most
   */
  int decidedBy(byte[] outline, int length);

  /** Zero bytes behind an outline. */
  int ZEROS = 2;

  /**
   * Called instead of giving a source whose outline decides. Nothing of the document is given then
   * if the visitor wants no more fields ({@code Status.STOP}).
   */
  void decided();
}
