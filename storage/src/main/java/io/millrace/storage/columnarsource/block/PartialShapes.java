package io.millrace.storage.columnarsource.block;

import io.millrace.kernel.slot.PartialSource;
import io.millrace.kernel.slot.SourceOutlines;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.text.PartialShape;
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
  private static final int NONE = -1;

  /** Documents of a block that were read one by one before its outlines are worth a look at all. */
  private static final int READ_ONE_BY_ONE = 8;

  private @Nullable PartialSource wanted;
  private final Map<Integer, @Nullable PartialShape> partials = new HashMap<>();

  /** Of each wanted part the answers of the segment's templates. */
  private final Map<BytesRef, OutlineAnswers> answers = new HashMap<>();

  /** The same of each shape: shapes share what is wanted of them. */
  private final Map<Integer, OutlineAnswers> answersOfShapes = new HashMap<>();

  // of the shape that was asked for last: documents in a row mostly share one
  private int last = NONE;
  private @Nullable PartialShape lastPartial;
  private @Nullable OutlineAnswers lastAnswers;

  private int block = -1;
  private int read;
  private @Nullable SourceOutlines outlines;

  /** The wanted part of a shape; null if it is no object. */
  @Nullable PartialShape of(int shape, byte[] text, PartialSource some) {
    if (wanted == some && shape == last && lastPartial != null) {
      return lastPartial;
    }
    if (wanted != some) {
      partials.clear();
      answers.clear();
      answersOfShapes.clear();
      wanted = some;
      block = -1;
    } else if (partials.size() >= MOST && !partials.containsKey(shape)) {
      partials.clear();
      answersOfShapes.clear();
    }
    // what is no object is asked for again: its source is broken JSON
    lastPartial = partials.computeIfAbsent(shape, id -> PartialShape.of(text, some));
    lastAnswers = null;
    last = shape;
    return lastPartial;
  }

  /**
   * The answers of outlines with the shape that {@link #of} was asked for last.
   *
   * @param partial what it gave
   */
  OutlineAnswers answers(int shape, PartialShape partial, int templates) {
    OutlineAnswers known = lastAnswers;
    if (known == null) {
      known = answersOfShapes.computeIfAbsent(shape, id -> answers(partial, templates));
      lastAnswers = known;
    }
    return known;
  }

  private OutlineAnswers answers(PartialShape partial, int templates) {
    if (answers.size() >= MOST) {
      answers.clear();
    }
    ByteSink left = partial.left();
    return answers.computeIfAbsent(
        new BytesRef(left.bytes, 0, left.length), text -> new OutlineAnswers(templates));
  }

  /**
   * Counts a document of a block that is read.
   *
   * @return whether the outlines of all its documents are worth a look now, which was not so before
   */
  boolean readsMany(int newBlock, boolean cheap) {
    if (newBlock != block) {
      block = newBlock;
      read = 0;
      outlines = null;
    }
    return outlines == null && ++read >= (cheap ? 1 : READ_ONE_BY_ONE);
  }

  /** Keeps what the request was told of the block. */
  void tell(SourceOutlines all) {
    outlines = all;
  }

  /** What the request was told of the block that it reads; null for nothing. */
  @Nullable SourceOutlines told() {
    return outlines;
  }
}
