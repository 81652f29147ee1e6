package io.millrace.kernel.slot;

/**
 * What is known of some documents in a row by the outlines of their sources. Who has been given it
 * ({@link OutlinedSource#outlines}) need not read a document of which it tells the answer. It is
 * for the thread that got it, and learns as that thread reads on.
 */
public final class SourceOutlines {
  /** Of a document that has to be read. */
  public static final byte UNKNOWN = 0;

  /** Of a document whose outline says yes. */
  public static final byte HOLDS = 1;

  /** Of a document whose outline says no. */
  public static final byte LACKS = 2;

  private final int first;
  private final short[] outlines;
  private final byte[] answers;

  /**
   * Documents in a row.
   *
   * @param first document, as it is numbered in the segment
   * @param outlines of each document its outline, or 0; not to be changed any more
   * @param answers of each outline, {@link #UNKNOWN} for 0; whoever gives it may fill in more
   */
  public SourceOutlines(int first, short[] outlines, byte[] answers) {
    this.first = first;
    this.outlines = outlines;
    this.answers = answers;
  }

  /**
   * What is known of a document, of these or not.
   *
   * @param document as it is numbered in the segment
   */
  public byte of(int document) {
    int index = document - first;
    return index >= 0 && index < outlines.length ? answers[outlines[index]] : UNKNOWN;
  }

  /**
   * Notes the answer of one document for all that share its outline; nothing where it has none.
   *
   * @param index of the document among these, from 0
   */
  public void learn(int index, boolean holds) {
    int outline = outlines[index];
    if (outline != 0) {
      answers[outline] = holds ? HOLDS : LACKS;
    }
  }
}
