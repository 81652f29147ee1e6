package io.millrace.write.logtext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.write.loganalyzer.LogAnalyzer;
import io.millrace.write.loganalyzer.WholeTokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.document.TextField;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class LogTextStreamTest {
  private final Analyzer analyzer = new LogAnalyzer(WholeTokens.WORDS);
  private final LogTextStream stream = new LogTextStream();

  private List<BytesRef> terms(String text, TemplateSketch sketch) throws IOException {
    stream.set(text, sketch);
    stream.reset();
    TermToBytesRefAttribute term = stream.getAttribute(TermToBytesRefAttribute.class);
    List<BytesRef> out = new ArrayList<>();
    while (stream.incrementToken()) {
      out.add(BytesRef.deepCopyOf(term.getBytesRef()));
    }
    stream.end();
    stream.close();
    return out;
  }

  private List<String> analyzed(String text) throws IOException {
    List<String> out = new ArrayList<>();
    try (TokenStream tokens = analyzer.tokenStream("f", text)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        out.add(term.toString());
      }
      tokens.end();
    }
    return out;
  }

  /**
   * The tokens that a template and its variables stand for, wholes after the part they start at.
   */
  private static List<String> expand(List<BytesRef> terms) {
    List<String> out = new ArrayList<>();
    int variable = 1;
    for (TemplateDictionary.Position position : TemplateDictionary.positions(terms.get(0))) {
      if (position.whole() != null) {
        out.add(position.whole().utf8ToString());
      }
      BytesRef part = position.part();
      out.add((part == null ? terms.get(variable++) : part).utf8ToString());
    }
    assertEquals(terms.size(), variable);
    return out;
  }

  private static String random(Random random) {
    StringBuilder out = new StringBuilder();
    String alphabet = "aZ09._-/ :=\t\u00e4\u7528\u6237\u0661\ud83d\ude00\ud800\u200d,()";
    for (int n = random.nextInt(40); n > 0; n--) {
      out.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return out.toString();
  }

  @Test
  void templateAndVariablesAreTheAnalyzersTokens() throws IOException {
    Random random = new Random(42);
    List<String> texts = new ArrayList<>(LogLines.generate(random, 2_000));
    for (int i = 0; i < 20_000; i++) {
      texts.add(random(random));
    }
    for (int i = 0; i < 40; i++) {
      texts.add("word ".repeat(i * 40) + "a1." + "b".repeat(i * 20));
    }
    int templated = 0;
    for (String text : texts) {
      List<String> expected = analyzed(text);
      TemplateSketch sketch = new TemplateSketch();
      List<BytesRef> first = terms(text, sketch);
      if (expected.isEmpty()) {
        assertEquals(List.of(), first, text);
        continue;
      }
      assertEquals(Reserved.free(), first.get(0));
      // the mark, then every token; a whole token may stand on either side of its first part
      assertEquals(
          expected.stream().sorted().toList(),
          first.stream().skip(1).map(BytesRef::utf8ToString).sorted().toList(),
          text);
      List<BytesRef> second = first;
      for (int i = 1; i < TemplateSketch.SIGHTS; i++) {
        second = terms(text, sketch);
      }
      if (second.get(0).bytes[0] == Reserved.POSITION) {
        templated++;
        assertEquals(expected, expand(second), text);
        assertTrue(second.stream().skip(1).noneMatch(Reserved::isReserved));
      } else {
        assertEquals(first, second);
      }
    }
    assertTrue(templated > 15_000, "templated " + templated);
  }

  /** A part that a hole nearly always holds goes into the template, and has no posting. */
  @Test
  void usualValuesAreInTheTemplate() throws IOException {
    Random random = new Random(7);
    TemplateSketch sketch = new TemplateSketch();
    List<String> templates = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      boolean odd = random.nextInt(20) == 0;
      String status = odd ? "503" : "200";
      String text =
          "GET /v2/" + random.nextInt(3) + " HTTP/1.1 \u00c4" + status + " took " + i + "ms";
      List<BytesRef> terms = terms(text, sketch);
      BytesRef template = terms.get(0);
      List<String> expected = analyzed(text).stream().distinct().sorted().toList();
      assertEquals(expected, held(terms), text);
      if (i > 2_000) {
        assertEquals(odd, own(terms).contains("\u00e4503"), text);
        templates.add(template.utf8ToString());
      }
    }
    // with and without the usual status; "1" may stand in the first hole, and is held already
    assertEquals(2, templates.stream().distinct().count());
    assertTrue(templates.get(0).contains("\u0001v2\u0001\u0001http\u00011\u00011\u0001"));
  }

  /** No token is held twice, so that documents are counted without being read. */
  @Test
  void aTokenIsHeldByTheTemplateOrByAPosting() throws IOException {
    Random random = new Random(8);
    TemplateSketch sketch = new TemplateSketch();
    int filled = 0;
    for (String text : LogLines.generate(random, 30_000)) {
      List<BytesRef> terms = terms(text, sketch);
      assertEquals(analyzed(text).stream().distinct().sorted().toList(), held(terms), text);
      if (terms.get(0).bytes[0] != Reserved.POSITION) {
        continue;
      }
      List<String> fixed = fixed(terms.get(0));
      filled += fixed.stream().anyMatch(token -> token.matches(".*\\d.*")) ? 1 : 0;
      for (String own : own(terms)) {
        assertFalse(fixed.contains(own), own + " in " + fixed + " of " + text);
      }
    }
    assertTrue(filled > 3_000, "filled " + filled);
  }

  /** A value that is written in two ways is one token, and is held once. */
  @Test
  void usualValuesAreTokens() throws IOException {
    TemplateSketch sketch = new TemplateSketch();
    List<BytesRef> terms = List.of();
    for (int i = 0; i < 100; i++) {
      terms = terms("from X9 to " + (i % 2 == 0 ? "x9" : "X" + i) + " by X9", sketch);
    }
    assertEquals(List.of("by", "from", "to", "x9", "x99"), held(terms));
    terms = terms("from X9 to X9 by x9", sketch);
    assertEquals(List.of(), own(terms));
  }

  private static List<String> own(List<BytesRef> terms) {
    return terms.stream().skip(1).map(BytesRef::utf8ToString).toList();
  }

  private static List<String> fixed(BytesRef template) {
    List<String> out = new ArrayList<>();
    for (TemplateDictionary.Position position : TemplateDictionary.positions(template)) {
      if (position.part() != null) {
        out.add(position.part().utf8ToString());
      }
      if (position.whole() != null) {
        out.add(position.whole().utf8ToString());
      }
    }
    return out;
  }

  /** The tokens that a value's terms stand for, each once. */
  private static List<String> held(List<BytesRef> terms) {
    List<String> out = new ArrayList<>(own(terms));
    if (terms.get(0).bytes[0] == Reserved.POSITION) {
      out.addAll(fixed(terms.get(0)));
    }
    return out.stream().distinct().sorted().toList();
  }

  @Test
  void freeTextIsHardlySplit() throws IOException {
    Random random = new Random(4);
    TemplateSketch sketch = new TemplateSketch();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = 10; n > 0; n--) {
        text.append(Integer.toString(random.nextInt(3_000), 26).replaceAll("\\d", "q")).append(' ');
      }
      terms(text.toString(), sketch);
    }
    assertTrue(sketch.known.sum() + sketch.unknown.sum() < 4_000);
  }

  @Test
  void tooLongForATemplateIsWrittenFreely() throws IOException {
    TemplateSketch sketch = new TemplateSketch();
    String text = "word ".repeat(2_000);
    for (int i = 0; i < 10; i++) {
      terms(text, sketch);
    }
    assertEquals(Reserved.free(), terms(text, sketch).get(0));
    assertEquals(2_001, terms(text, sketch).size());
  }

  /** So the document is not counted among those with the field, which scores are made of. */
  @Test
  void valueWithoutTokensHasNoTerms() throws IOException {
    TemplateSketch sketch = new TemplateSketch();
    for (String text : List.of("", " ", "\n\t", "... !? --", "\u200f\u202e", "\u0000")) {
      for (int i = 0; i <= TemplateSketch.SIGHTS; i++) {
        assertEquals(List.of(), terms(text, sketch), text);
      }
      assertEquals(List.of(), terms(text, null), text);
    }
  }

  @Test
  void noTokenCountsAsReserved() throws IOException {
    for (String text : List.of("\u0001\u0002\u0003", "a\u0001b", "")) {
      assertTrue(terms(text, null).stream().skip(1).noneMatch(Reserved::isReserved));
    }
  }

  @Test
  void luceneReusesTheStream() {
    LogTextField field = new LogTextField("f", "a", TextField.TYPE_NOT_STORED, null);
    TokenStream first = field.tokenStream(analyzer, null);
    assertEquals(first, field.tokenStream(analyzer, first));
  }

  @Test
  void sketchKnowsWhatComesAgainAndKeepsTheFrequent() {
    TemplateSketch sketch = new TemplateSketch();
    Random random = new Random(1);
    long[] frequent = random.longs(2_000).toArray();
    for (int sight = 1; sight < TemplateSketch.SIGHTS; sight++) {
      for (long hash : frequent) {
        assertFalse(sketch.seenBefore(hash));
      }
    }
    for (int round = 0; round < 100; round++) {
      for (long hash : frequent) {
        sketch.tried(sketch.seenBefore(hash));
      }
    }
    int noiseTaken = 0;
    for (int i = 0; i < 100_000; i++) {
      noiseTaken += sketch.seenBefore(random.nextLong()) ? 1 : 0;
      sketch.seenBefore(frequent[i % frequent.length]);
    }
    assertEquals(0, noiseTaken);
    // what counts, counts on; what noise took starts again
    int kept = 0;
    for (long hash : frequent) {
      kept += sketch.seenBefore(hash) ? 1 : 0;
    }
    assertTrue(kept > frequent.length * 0.95, "kept " + kept);
  }

  /** Lines that are tried again a few times and never come back: no end of templates otherwise. */
  @Test
  void templatesThatDoNotPayAreBounded() {
    TemplateSketch sketch = new TemplateSketch();
    Random random = new Random(29);
    for (int template = 0; template < 50_000; template++) {
      long hash = random.nextLong();
      for (int sight = 0; sight < 5; sight++) {
        sketch.tried(sketch.seenBefore(hash));
      }
    }
    assertEquals(TemplateSketch.FIRST, sketch.admitted(), TemplateSketch.FIRST / 10.0);
  }

  /** Templates that many messages have are let in, up to the bound. */
  @Test
  void templatesThatPayCountUpToTheBound() {
    TemplateSketch sketch = new TemplateSketch();
    Random random = new Random(29);
    for (int template = 0; template < 2 * TemplateSketch.MOST; template++) {
      long hash = random.nextLong();
      for (int sight = 0; sight < 100; sight++) {
        sketch.tried(sketch.seenBefore(hash));
      }
    }
    assertEquals(TemplateSketch.MOST, sketch.admitted());
  }

  @Test
  void aLongTextIsNotKept() throws IOException {
    terms("word ".repeat(200_000), null);
    assertTrue(stream.held() <= 64 * 1024, "characters held: " + stream.held());
    assertEquals(terms("short words", null), terms("short words", null));
  }
}
