package io.millrace.storage.columnarsource.block;

import io.millrace.kernel.slot.OutlinedSource;
import io.millrace.kernel.slot.PartialSource;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.segment.DictionaryReader;
import io.millrace.storage.columnarsource.text.JsonShape;
import io.millrace.storage.columnarsource.text.PartialShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * What one request wants of each shape, of which its hits mostly share a few; and which outlines
 * decide what it asks.
 */
final class PartialShapes {
  private static final int MOST = 64;

  // answers; the ones above are the bytes that a hole may have, and these
  private static final int ASKED = 1;
  private static final int MOST_BYTES = 250;
  private static final int ALWAYS = MOST_BYTES + ASKED + 2;

  private @Nullable PartialSource wanted;
  private final Map<Integer, @Nullable PartialShape> partials = new HashMap<>();

  /** Of each wanted part the answers of the segment's templates, 0 where nobody has asked. */
  private final Map<BytesRef, byte[]> answers = new HashMap<>();

  /** The same of each shape: shapes share what is wanted of them. */
  private final Map<Integer, byte[]> answersOfShapes = new HashMap<>();

  /** The wanted part of a shape; null if it is no object. */
  @Nullable PartialShape of(int shape, byte[] text, PartialSource some) {
    if (wanted != some) {
      partials.clear();
      answers.clear();
      answersOfShapes.clear();
      wanted = some;
    } else if (partials.size() >= MOST && !partials.containsKey(shape)) {
      partials.clear();
      answersOfShapes.clear();
    }
    // what is no object is asked for again: its source is broken JSON
    return partials.computeIfAbsent(shape, id -> PartialShape.of(text, some));
  }

  /**
   * The bytes that a variable of a template may have, where the outline of a shape and the template
   * decides: {@link OutlinedSource#DECIDED} or {@link OutlinedSource#UNDECIDED} perhaps.
   *
   * @param partial what {@link #of} gave last, whose only value is a string with the template
   */
  int decides(
      int shape,
      PartialShape partial,
      int template,
      OutlinedSource asking,
      DictionaryReader dictionary) {
    byte[] known =
        answersOfShapes.computeIfAbsent(shape, id -> answers(partial, dictionary.templateCount()));
    if (known[template] == 0) {
      ByteSink outline = outline(partial, template, dictionary);
      int most = asking.decidedBy(outline.bytes, outline.length - OutlinedSource.ZEROS);
      known[template] =
          (byte)
              (most == OutlinedSource.DECIDED
                  ? ALWAYS
                  : Math.min(most, MOST_BYTES) - OutlinedSource.UNDECIDED + ASKED);
    }
    int answer = known[template] & 0xff;
    return answer == ALWAYS ? OutlinedSource.DECIDED : answer - ASKED + OutlinedSource.UNDECIDED;
  }

  private byte[] answers(PartialShape partial, int templates) {
    if (answers.size() >= MOST) {
      answers.clear();
    }
    ByteSink left = partial.left();
    return answers.computeIfAbsent(
        new BytesRef(left.bytes, 0, left.length), text -> new byte[templates]);
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
