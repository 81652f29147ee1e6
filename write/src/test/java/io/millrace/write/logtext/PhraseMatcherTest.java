package io.millrace.write.logtext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.write.loganalyzer.LogAnalyzer;
import io.millrace.write.loganalyzer.WholeTokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MultiPhraseQuery;
import org.junit.jupiter.api.Test;
import org.opensearch.common.lucene.search.MultiPhrasePrefixQuery;
import org.opensearch.index.analysis.AnalyzerScope;
import org.opensearch.index.analysis.NamedAnalyzer;
import org.opensearch.index.mapper.TextFieldMapper;

/** A phrase is found in the tokens of values exactly where stock's search in an index finds it. */
class PhraseMatcherTest {
  private static final String[] WORDS = {"a", "ab", "abc", "b", "b7", "b71", "c.d", "é", "x-1.y"};

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private final TextFieldMapper.TextFieldType type = new TextFieldMapper.TextFieldType("m");

  PhraseMatcherTest() {
    type.setIndexAnalyzer(
        new NamedAnalyzer(
            "words",
            AnalyzerScope.INDEX,
            new LogAnalyzer(WholeTokens.WORDS),
            TextFieldMapper.Defaults.POSITION_INCREMENT_GAP));
  }

  private String value() {
    StringBuilder out = new StringBuilder();
    for (int n = random.nextInt(12); n >= 0; n--) {
      out.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(5) == 0 ? " , " : " ");
    }
    return out.toString();
  }

  private Term[] place() {
    String[] tokens = {"a", "ab", "abc", "b", "b7", "b71", "c", "d", "c.d", "é", "x", "1", "y"};
    Term[] terms = new Term[1 + random.nextInt(8) / 7];
    for (int i = 0; i < terms.length; i++) {
      terms[i] = new Term("m", tokens[random.nextInt(tokens.length)]);
    }
    return terms;
  }

  @Test
  void sameAsAnIndexOfTheValues() throws IOException {
    int found = 0;
    for (int round = 0; round < 4_000; round++) {
      boolean prefix = random.nextInt(3) == 0;
      Term[][] terms = new Term[1 + random.nextInt(4)][];
      int[] positions = new int[terms.length];
      MultiPhraseQuery.Builder exact = new MultiPhraseQuery.Builder();
      MultiPhrasePrefixQuery prefixed = new MultiPhrasePrefixQuery("m");
      int expansions = 1 + random.nextInt(3);
      prefixed.setMaxExpansions(expansions);
      int position = random.nextInt(2);
      for (int i = 0; i < terms.length; i++) {
        terms[i] = place();
        positions[i] = position;
        exact.add(terms[i], position);
        prefixed.add(terms[i], position);
        position += 1 + random.nextInt(6) / 5;
      }
      PhraseMatcher matcher =
          PhraseMatcher.of(
              new PhraseShape(terms, positions, prefix), prefix ? expansions : Integer.MAX_VALUE);
      assertNotNull(matcher);
      List<String> values = new ArrayList<>();
      for (int n = random.nextInt(3); n >= 0; n--) {
        values.add(value());
      }
      var query = prefix ? prefixed : exact.build();
      boolean expected = PhraseMatcher.matchesIndexed(query, type, values);
      assertEquals(
          expected,
          matcher.matches(query, type, values),
          () -> query + " in " + values + " of seed " + seed);
      found += expected ? 1 : 0;
    }
    assertTrue(found > 100, "phrases were found: " + found);
  }

  @Test
  void whatIsWiderThanAWindowOrStandsAtOnePlaceIsLeftToAnIndex() {
    Term[][] two = {{new Term("m", "a")}, {new Term("m", "b")}};
    assertNull(PhraseMatcher.of(new PhraseShape(two, new int[] {0, 64}, false), 1));
    assertNull(PhraseMatcher.of(new PhraseShape(two, new int[] {3, 3}, false), 1));
    assertNotNull(PhraseMatcher.of(new PhraseShape(two, new int[] {1, 64}, false), 1));
    Term[][] many = new Term[64][];
    Arrays.fill(many, new Term[] {new Term("m", "a")});
    int[] positions = new int[64];
    Arrays.setAll(positions, i -> i);
    assertNull(PhraseMatcher.of(new PhraseShape(many, positions, false), 1));
  }
}
