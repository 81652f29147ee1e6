package io.millrace.bench.answers;

import io.millrace.bench.scenario.Side;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * How one side's answers compare with another's.
 *
 * @param side whose answers
 * @param reference the side they are held against
 * @param compared queries both answered and that are comparable
 * @param different how many answers differ
 * @param excerpts of the first differences: the query, then both answers, cut
 */
public record Comparison(
    String side, String reference, int compared, int different, List<String> excerpts) {
  private static final int EXCERPTS = 3;
  private static final int LENGTH = 400;

  /** Compares two sheets of the same mix. */
  public static Comparison of(
      List<Query> mix, Side side, AnswerSheet answers, Side reference, AnswerSheet expected) {
    boolean sources = side.keepsSource() && reference.keepsSource();
    boolean text = side.textGroup().equals(reference.textGroup());
    List<String> left = sources ? answers.full() : answers.bare();
    List<String> right = sources ? expected.full() : expected.bare();
    int compared = 0;
    int different = 0;
    List<String> excerpts = new ArrayList<>();
    for (int i = 0; i < Math.min(left.size(), right.size()); i++) {
      Query query = mix.get(i);
      if (query.text() && !text) {
        continue;
      }
      compared++;
      if (!left.get(i).equals(right.get(i))) {
        different++;
        if (excerpts.size() < EXCERPTS) {
          excerpts.add(excerpt(query, side, left.get(i), reference, right.get(i)));
        }
      }
    }
    return new Comparison(side.label(), reference.label(), compared, different, excerpts);
  }

  /** Both together: the figures of two rounds, the excerpts of the first that had any. */
  public Comparison plus(Comparison later) {
    return new Comparison(
        side,
        reference,
        compared + later.compared,
        different + later.different,
        excerpts.isEmpty() ? later.excerpts : excerpts);
  }

  private static String excerpt(
      Query query, Side side, String answer, Side reference, String expected) {
    int at = 0;
    while (at < Math.min(answer.length(), expected.length())
        && answer.charAt(at) == expected.charAt(at)) {
      at++;
    }
    int from = Math.max(0, at - 60);
    return query.kind()
        + " "
        + new String(query.body(), StandardCharsets.UTF_8)
        + "\n"
        + side.label()
        + ": .."
        + cut(answer, from)
        + "\n"
        + reference.label()
        + ": .."
        + cut(expected, from);
  }

  private static String cut(String text, int from) {
    return text.substring(from, Math.min(text.length(), from + LENGTH));
  }
}
