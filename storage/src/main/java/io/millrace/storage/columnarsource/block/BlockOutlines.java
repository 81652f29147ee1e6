package io.millrace.storage.columnarsource.block;

import io.millrace.kernel.slot.HoleCondition;
import io.millrace.kernel.slot.OutlinedSource;
import io.millrace.kernel.slot.SourceOutlines;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.column.Column;
import io.millrace.storage.columnarsource.section.SectionReader;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the outlines of one block's documents say to who asks. Which outline each document has is
 * looked up once for all of them when somebody reads many, and kept beside the block; then most of
 * them are decided without being read.
 */
final class BlockOutlines {
  private final ByteSink variable = new ByteSink(64);
  private short @Nullable [] outlines;
  private int shape;
  private int column;

  /** A block whose documents are to be looked up anew. */
  void clear() {
    outlines = null;
  }

  /** Whether nothing has to be looked up for documents with a shape. */
  boolean know(int wantedShape, int wantedColumn) {
    return outlines != null && shape == wantedShape && column == wantedColumn;
  }

  /**
   * Of each document with a shape its template in a column, 0 for other documents.
   *
   * @param shapeOf the shape of a document, by their places in the block
   * @param holes the columns of each shape's values
   */
  short[] of(
      int wantedShape,
      int wantedColumn,
      Column messages,
      int documents,
      IntUnaryOperator shapeOf,
      int[][] holes,
      int shapes) {
    short[] known = outlines;
    if (known != null && know(wantedShape, wantedColumn)) {
      return known;
    }
    int[] values = new int[shapes];
    for (int s = 0; s < shapes; s++) {
      for (int hole : holes[s]) {
        values[s] += hole == wantedColumn ? 1 : 0;
      }
    }
    short[] all = new short[documents];
    int value = 0;
    for (int i = 0; i < documents; i++) {
      int s = shapeOf.applyAsInt(i);
      if (s == wantedShape && values[s] == 1) {
        int template = messages.template(value);
        SectionReader.require(template <= messages.templates(), "template", template);
        all[i] = (short) template;
      }
      value += values[s];
    }
    outlines = all;
    shape = wantedShape;
    column = wantedColumn;
    return all;
  }

  /** Tells who asks what is known of all documents with a template. */
  static SourceOutlines tell(
      int first, short[] outlines, OutlineAnswers answers, Column messages, OutlinedSource asking) {
    byte[] known = new byte[messages.templates() + 1];
    for (int t = 1; t < known.length; t++) {
      known[t] = known(answers.known(messages.place(t)), messages, t);
    }
    SourceOutlines told = new SourceOutlines(first, outlines, known);
    asking.outlines(told);
    return told;
  }

  /** What an answer says of every value with a template. */
  static byte known(int answer, Column messages, int template) {
    return switch (answer) {
      case OutlinedSource.DECIDED -> SourceOutlines.HOLDS;
      case OutlinedSource.UNDECIDED, OutlinedSource.BY_HOLES -> SourceOutlines.UNKNOWN;
      case OutlinedSource.LACKING ->
          messages.longestVariable(template) <= OutlinedSource.LONGEST_HOLE
              ? SourceOutlines.LACKS
              : SourceOutlines.UNKNOWN;
      default ->
          messages.longestVariable(template) <= answer
              ? SourceOutlines.HOLDS
              : SourceOutlines.UNKNOWN;
    };
  }

  /** Whether a value has in its holes what is asked for. */
  boolean holds(HoleCondition condition, Column messages, int value) {
    for (int set = 0; set < condition.holes().length; set++) {
      int[] asked = condition.holes()[set];
      boolean all = true;
      for (int i = 0; all && i < asked.length; i++) {
        variable.length = 0;
        messages.variable(value, asked[i], variable);
        all = condition.isMet(set, i, variable.bytes, variable.length);
      }
      if (all) {
        return true;
      }
    }
    return false;
  }
}
