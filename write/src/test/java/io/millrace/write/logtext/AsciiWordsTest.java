package io.millrace.write.logtext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.write.loganalyzer.LogAnalyzer;
import io.millrace.write.loganalyzer.LogScanner;
import io.millrace.write.loganalyzer.WholeTokens;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** A value of ASCII has the words and parts that {@link LogScanner} finds; no other is taken. */
class AsciiWordsTest {
  private static final int MAX_TOKEN = LogAnalyzer.DEFAULT_MAX_TOKEN_LENGTH;

  private final AsciiWords words = new AsciiWords();
  private final LogScanner scanner = new LogScanner(MAX_TOKEN);

  private boolean take(String text) {
    return words.take(text.toCharArray(), text.length());
  }

  /** Compares the words of a value; returns whether they were sure. */
  private boolean check(String text) {
    assertTrue(take(text), text);
    String small = text.toLowerCase(Locale.ROOT);
    for (int time = 0; time < 2; time++) {
      scanner.reset(text.toCharArray(), text.length());
      words.reset();
      while (words.nextWord()) {
        assertTrue(scanner.nextWord(), text);
        assertEquals(scanner.parts(), words.parts(), text);
        assertEquals(scanner.hasWhole(WholeTokens.WORDS), words.hasWhole(), text);
        for (int i = 0; i < words.parts(); i++) {
          assertEquals(scanner.start(i), words.start(i), text);
          assertEquals(scanner.end(i), words.end(i), text);
          assertEquals(scanner.hasDigit(i), words.hasDigit(i), text);
          same(small, words.start(i), words.end(i));
        }
      }
      if (words.sure()) {
        assertFalse(scanner.nextWord(), text);
      }
    }
    return words.sure();
  }

  private void same(String small, int start, int end) {
    BytesRef slice = new BytesRef();
    words.slice(slice, start, end);
    String part = small.substring(start, end);
    assertEquals(part, slice.utf8ToString());
    byte[] out = new byte[3 + end - start + AsciiWords.ROOM];
    words.copy(start, end - start, out, 3);
    assertEquals(part, new String(out, 3, end - start, StandardCharsets.US_ASCII));
  }

  @Test
  void namedValues() {
    for (String text :
        List.of(
            "",
            " ",
            "a",
            "GET /v2/54fadb41/servers HTTP/1.1\" status: 200 len: 1893 time: 0.2477829",
            "nova.osapi_compute.wsgi a...b a....b a:/\\b a,b .a a. -- @x$y#z=1",
            "A.b.C D.1.e \u0000\u0001\u007f ~`{@[Z",
            "a.".repeat(LogScanner.MAX_PARTS - 1) + "b",
            "a.".repeat(LogScanner.MAX_PARTS - 1) + "b c.d",
            "x".repeat(MAX_TOKEN),
            "x".repeat(MAX_TOKEN - 2) + ".y",
            "x".repeat(MAX_TOKEN - 1) + ".y",
            "a b ".repeat(AsciiWords.MOST / 4))) {
      assertTrue(check(text), text);
    }
  }

  @Test
  void partsAndWordsThatTheScannerCutsAreNotSure() {
    assertFalse(check("x".repeat(MAX_TOKEN + 1)));
    assertFalse(check("a b " + "x".repeat(MAX_TOKEN + 1) + " c"));
    assertFalse(check("a.".repeat(LogScanner.MAX_PARTS) + "b"));
    assertTrue(check("a b"), "the value after it is");
  }

  @Test
  void othersAreNotTaken() {
    for (String text :
        List.of(
            "\u0080", "caf\u00e9", "a\uffff", "\ud83d\ude00", "\ud83d", "\ude00 a", "1\u0661")) {
      assertFalse(take(text), text);
    }
    assertFalse(take("a".repeat(AsciiWords.MOST + 1)));
    assertTrue(take("a".repeat(AsciiWords.MOST)));
  }

  @Test
  void everyCharacterBetweenEveryKind() {
    for (char c = 0; c < 128; c++) {
      for (String around :
          List.of("a%sb", "1%sZ", " %s ", "a%s%sb", "a%s%s%sb", "a%s%s%s%sb", "%s")) {
        check(around.replace("%s", String.valueOf(c)));
      }
    }
  }

  @Test
  void randomValues() {
    Random random = new Random(14);
    List<String> alphabets =
        new ArrayList<>(List.of("aZ09._-/ :=\t,()", "aB1.", "a.", "aaaaaaaaaaaaaaaaaaaaaaaa "));
    StringBuilder all = new StringBuilder();
    for (char c = 0; c < 128; c++) {
      all.append(c);
    }
    alphabets.add(all.toString());
    int sure = 0;
    for (int round = 0; round < 20_000; round++) {
      String alphabet = alphabets.get(round % alphabets.size());
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(round % 50 == 0 ? 2_000 : 100); n > 0; n--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      sure += check(text.toString()) ? 1 : 0;
    }
    assertTrue(sure > 10_000, "sure: " + sure);
  }
}
