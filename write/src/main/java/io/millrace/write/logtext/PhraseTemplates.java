package io.millrace.write.logtext;

import io.millrace.write.logtext.PhraseShape.Answer;
import java.util.BitSet;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * What the templates of each segment say of a phrase, looked up once for all the queries that one
 * search makes of it.
 */
final class PhraseTemplates {
  /**
   * Templates of a segment by their places in its dictionary, in order.
   *
   * @param decided those that hold the phrase
   * @param maybe those that may hold it, if the right variables stand in their holes
   */
  record Found(int[] decided, int[] maybe) {}

  private final PhraseShape shape;
  private final int maxTokens;
  private final @Nullable PhrasePattern pattern;

  // a query may stand in a cache of queries for long, and must not keep what a segment had
  private final Map<TemplateDictionary, Found> found =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * @param maxTokens a template of more tokens decides nothing
   */
  PhraseTemplates(PhraseShape shape, int maxTokens) {
    this.shape = shape;
    this.maxTokens = maxTokens;
    this.pattern = PhrasePattern.of(shape);
  }

  Found of(TemplateDictionary dictionary) {
    return Objects.requireNonNull(found.computeIfAbsent(dictionary, this::find));
  }

  private Found find(TemplateDictionary dictionary) {
    BitSet decided = new BitSet();
    BitSet maybe = new BitSet();
    BitSet possible = shape.possible(dictionary);
    for (int i = possible.nextSetBit(0); i >= 0; i = possible.nextSetBit(i + 1)) {
      BytesRef template = dictionary.templates[i];
      switch (over(template)) {
        case YES -> (mayDecide(template) ? decided : maybe).set(i);
        case MAYBE -> maybe.set(i);
        case NO -> {}
      }
    }
    return new Found(decided.stream().toArray(), maybe.stream().toArray());
  }

  private Answer over(BytesRef template) {
    return pattern == null
        ? shape.over(TemplateDictionary.positions(template))
        : over(template, pattern);
  }

  /** As {@link PhraseShape#over}, without an object for each position. */
  static Answer over(BytesRef template, PhrasePattern pattern) {
    byte[] bytes = template.bytes;
    int end = template.offset + template.length;
    int at = template.offset;
    long held = 0;
    long possible = 0;
    Answer best = Answer.NO;
    while (at < end) {
      int start = ++at; // behind the mark of a position
      while (at < end && bytes[at] != Reserved.POSITION && bytes[at] != Reserved.WHOLE) {
        at++;
      }
      long here = at == start ? 0 : pattern.positionsOf(bytes, start, at - start);
      long mayBe = at == start ? pattern.variables() : 0;
      if (at < end && bytes[at] == Reserved.WHOLE) {
        int whole = ++at;
        while (at < end && bytes[at] != Reserved.POSITION) {
          at++;
        }
        here |= pattern.positionsOf(bytes, whole, at - whole);
      }
      held = pattern.step(held, here);
      possible = pattern.step(possible, here | mayBe);
      if (pattern.ends(held)) {
        return Answer.YES;
      }
      best = pattern.ends(possible) ? Answer.MAYBE : best;
    }
    return best;
  }

  private boolean mayDecide(BytesRef template) {
    if (maxTokens == Integer.MAX_VALUE) {
      return true;
    }
    int positions = 0;
    for (int i = template.offset; i < template.offset + template.length; i++) {
      positions += template.bytes[i] == Reserved.POSITION ? 1 : 0;
    }
    return 2 * positions <= maxTokens;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PhraseTemplates that
        && shape.equals(that.shape)
        && maxTokens == that.maxTokens;
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + maxTokens;
  }
}
