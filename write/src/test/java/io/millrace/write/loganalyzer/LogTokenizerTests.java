package io.millrace.write.loganalyzer;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.tests.analysis.BaseTokenStreamTestCase;
import org.apache.lucene.tests.util.TestUtil;

/** Lucene's own conformance kit for token streams, and the tokens and positions promised. */
public class LogTokenizerTests extends BaseTokenStreamTestCase {
  private final Analyzer all = new LogAnalyzer(WholeTokens.ALL);
  private final Analyzer words = new LogAnalyzer(WholeTokens.WORDS);
  private final Analyzer search =
      new LogAnalyzer(WholeTokens.ALL, true, LogAnalyzer.DEFAULT_MAX_TOKEN_LENGTH);
  private final Analyzer parts = new LogAnalyzer(WholeTokens.NONE);

  public void testWholeTokenSpansItsParts() throws IOException {
    assertAnalyzesTo(
        search,
        "at nova.Wsgi.server up",
        new String[] {"at", "nova.wsgi.server", "nova", "wsgi", "server", "up"},
        new int[] {0, 3, 3, 8, 13, 20},
        new int[] {2, 19, 7, 12, 19, 22},
        null,
        new int[] {1, 1, 0, 1, 1, 1},
        new int[] {1, 3, 1, 1, 1, 1});
  }

  public void testWordsKeepOnlyWholeTokensWithoutDigit() throws IOException {
    assertEquals("10|11|10|1|a/b|a|b|", terms(words, "10.11.10.1 a/b"));
    assertEquals("10.1|10|1|a/b|a|b|", terms(all, "10.1 a/b"));
    assertAnalyzesTo(parts, "a/b status=500", new String[] {"a", "b", "status", "500"});
  }

  public void testJoinersOnlyInsideWords() throws IOException {
    assertAnalyzesTo(
        search,
        "[/var/log/] http://h:80. a....b --x=y, k1 = v",
        new String[] {
          "var/log",
          "var",
          "log",
          "http://h:80",
          "http",
          "h",
          "80",
          "a",
          "b",
          "x=y",
          "x",
          "y",
          "k1",
          "v"
        });
  }

  public void testBeyondAsciiAsStandardTokenizerDoes() throws IOException {
    assertAnalyzesTo(
        search,
        "用户123登录 café.Été x ก็ Ёлка",
        new String[] {"用", "户", "123", "登", "录", "café.été", "café", "été", "x", "ก็", "ёлка"});
  }

  public void testTextWithoutJoinersEqualsStandardAnalyzer() throws IOException {
    Random random = random();
    try (Analyzer standard = new StandardAnalyzer()) {
      for (int i = 0; i < 20_000; i++) {
        String text =
            (random.nextBoolean()
                    ? TestUtil.randomRealisticUnicodeString(random, 60)
                    : TestUtil.randomSimpleString(random, 0, 40))
                // what UAX#29 joins and this tokenizer does not, or the other way round
                .replaceAll("[\\x00-\\x7f&&[^A-Za-z0-9 ]]", " ");
        assertEquals(text, terms(standard, text), terms(parts, text));
      }
    }
  }

  private static String terms(Analyzer analyzer, String text) throws IOException {
    StringBuilder out = new StringBuilder();
    try (var stream = analyzer.tokenStream("f", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) {
        out.append(term).append('|');
      }
      stream.end();
    }
    return out.toString();
  }

  public void testLongPartsAreCutAndLongWordsEnd() throws IOException {
    try (Analyzer shortTokens = new LogAnalyzer(WholeTokens.ALL, true, 4)) {
      assertAnalyzesTo(
          shortTokens, "abcdefghi1 a.b", new String[] {"abcd", "efgh", "i1", "a.b", "a", "b"});
    }
    String hostile = "a.".repeat(100_000);
    try (var stream = all.tokenStream("f", hostile)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      int partTokens = 0;
      while (stream.incrementToken()) {
        assertTrue(term.length() <= 255);
        partTokens += term.length() == 1 ? 1 : 0;
      }
      stream.end();
      assertEquals(100_000, partTokens);
    }
  }

  public void testRandomData() throws IOException {
    checkRandomData(random(), search, 300 * RANDOM_MULTIPLIER);
    // the whole token's offsets span its parts while its length is 1, as the index has it
    checkRandomData(random(), all, 200 * RANDOM_MULTIPLIER, 100, false, false);
    checkRandomData(random(), words, 200 * RANDOM_MULTIPLIER, 100, false, false);
    checkRandomData(random(), parts, 100 * RANDOM_MULTIPLIER, 2000, false, true);
    checkRandomData(random(), search, 20 * RANDOM_MULTIPLIER, 8192, false, true);
  }
}
