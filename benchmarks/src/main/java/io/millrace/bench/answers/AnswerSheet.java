package io.millrace.bench.answers;

import java.util.ArrayList;
import java.util.List;

/**
 * The answers of one side to the queries of a mix, in the mix's order; a side may have answered
 * only the first ones.
 *
 * @param full canonical answers with the documents' text
 * @param bare the same without it
 */
public record AnswerSheet(List<String> full, List<String> bare) {

  public static AnswerSheet empty() {
    return new AnswerSheet(new ArrayList<>(), new ArrayList<>());
  }

  void add(String fullAnswer, String bareAnswer) {
    full.add(fullAnswer);
    bare.add(bareAnswer);
  }
}
