package io.millrace.storage.columnarsource.block;

import io.millrace.kernel.slot.HoleCondition;
import io.millrace.kernel.slot.OutlinedSource;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.segment.DictionaryReader;
import io.millrace.storage.columnarsource.text.JsonShape;
import io.millrace.storage.columnarsource.text.PartialShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What a request was answered of the outlines that a wanted part has with a segment's templates.
 */
final class OutlineAnswers {
  // answers; the ones between are the bytes that a hole may have
  private static final int NOT_ASKED = 0;
  private static final int UNDECIDED = 1;
  private static final int NO_BYTES = 2;
  private static final int MOST_BYTES = 250;
  private static final int DECIDED = NO_BYTES + MOST_BYTES + 1;
  private static final int LACKING = DECIDED + 1;
  private static final int BY_HOLES = LACKING + 1;

  private final byte[] answers;
  private final Map<Integer, HoleCondition> conditions = new HashMap<>();

  OutlineAnswers(int templates) {
    answers = new byte[templates];
  }

  /**
   * As {@link OutlinedSource#decidedBy}, asked once.
   *
   * @param partial whose only value is a string with the template
   */
  int of(int template, PartialShape partial, OutlinedSource asking, DictionaryReader dictionary) {
    if (answers[template] == NOT_ASKED) {
      ByteSink outline = outline(partial, template, dictionary);
      int length = outline.length - OutlinedSource.ZEROS;
      int answer = asking.decidedBy(outline.bytes, length);
      if (answer == OutlinedSource.BY_HOLES) {
        conditions.put(template, asking.condition(outline.bytes, length));
      }
      answers[template] =
          (byte)
              switch (answer) {
                case OutlinedSource.UNDECIDED -> UNDECIDED;
                case OutlinedSource.DECIDED -> DECIDED;
                case OutlinedSource.LACKING -> LACKING;
                case OutlinedSource.BY_HOLES -> BY_HOLES;
                default -> NO_BYTES + Math.min(answer, MOST_BYTES);
              };
    }
    return known(template);
  }

  /** The same; {@link OutlinedSource#UNDECIDED} where nobody has asked. */
  int known(int template) {
    int answer = answers[template] & 0xff;
    return switch (answer) {
      case NOT_ASKED, UNDECIDED -> OutlinedSource.UNDECIDED;
      case DECIDED -> OutlinedSource.DECIDED;
      case LACKING -> OutlinedSource.LACKING;
      case BY_HOLES -> OutlinedSource.BY_HOLES;
      default -> answer - NO_BYTES;
    };
  }

  /** Of a template that decides by its holes. */
  HoleCondition condition(int template) {
    return Objects.requireNonNull(conditions.get(template));
  }

  private static ByteSink outline(PartialShape partial, int template, DictionaryReader dictionary) {
    ByteSink shape = partial.left();
    ByteSink out = new ByteSink(512);
    for (int i = 0; i < shape.length; i++) {
      if (shape.bytes[i] != JsonShape.STRING) {
        out.writeByte(shape.bytes[i]);
        continue;
      }
      out.writeByte('"');
      try {
        dictionary.template(template, out);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      out.writeByte('"');
    }
    for (int i = 0; i < OutlinedSource.ZEROS; i++) {
      out.writeByte(0);
    }
    return out;
  }
}
