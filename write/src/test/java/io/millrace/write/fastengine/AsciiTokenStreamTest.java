package io.millrace.write.fastengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.junit.jupiter.api.Test;

/** Tokens, positions and the end of the stream against Lucene's StandardAnalyzer. */
class AsciiTokenStreamTest {
  private static final int STRINGS = Integer.getInteger("millrace.fuzz.strings", 200_000);
  private static final String ALPHABET = "abZQ09_.':,;-/ \"\t$x";

  private final StandardAnalyzer standard = new StandardAnalyzer(CharArraySet.EMPTY_SET);
  private final AsciiTokenStream ascii = new AsciiTokenStream();

  private static List<String> tokens(TokenStream stream) throws IOException {
    TermToBytesRefAttribute term = stream.getAttribute(TermToBytesRefAttribute.class);
    PositionIncrementAttribute increment = stream.getAttribute(PositionIncrementAttribute.class);
    List<String> tokens = new ArrayList<>();
    stream.reset();
    while (stream.incrementToken()) {
      tokens.add(term.getBytesRef().utf8ToString() + " +" + increment.getPositionIncrement());
    }
    stream.end();
    tokens.add("end +" + increment.getPositionIncrement());
    stream.close();
    return tokens;
  }

  private void compare(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    if (!AsciiTokenStream.covers(bytes, 0, bytes.length)) {
      return;
    }
    ascii.text(bytes, 0, bytes.length);
    assertEquals(tokens(standard.tokenStream("f", text)), tokens(ascii), () -> "text: " + text);
  }

  @Test
  void givesTheTokensOfTheStandardAnalyzer() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < STRINGS; i++) {
      StringBuilder text = new StringBuilder();
      for (int left = random.nextInt(14); left > 0; left--) {
        text.append(
            i % 2 == 0
                ? ALPHABET.charAt(random.nextInt(ALPHABET.length()))
                : (char) random.nextInt(128));
      }
      compare(text.toString());
    }
  }

  @Test
  void givesTheTokensOfLogLines() throws IOException {
    compare(
        "nova.osapi_compute.wsgi.server [req-38101a0b-2096-447d] 10.11.10.1 \"GET /v2/54 HTTP/1.1\"");
    compare(
        "it's 3,14 or 3.14 at 12:30:59; key=value_1 C:\\temp\\x.log _ __ a_b 1_000 x:y 1;2 a;b");
    compare("");
    compare("...");
  }

  @Test
  void leavesLongRunsToTheTokenizer() throws IOException {
    for (int length = 250; length <= 260; length++) {
      byte[] run = "a".repeat(length).getBytes(StandardCharsets.US_ASCII);
      assertEquals(length < 255, AsciiTokenStream.covers(run, 0, run.length));
      compare("b " + "a".repeat(length) + " c");
    }
    byte[] text = ("a".repeat(200) + " ").repeat(20).getBytes(StandardCharsets.US_ASCII);
    assertTrue(AsciiTokenStream.covers(text, 0, text.length));
    byte[] joined = ("a".repeat(150) + "." + "b".repeat(150)).getBytes(StandardCharsets.US_ASCII);
    assertFalse(AsciiTokenStream.covers(joined, 0, joined.length));
  }
}
