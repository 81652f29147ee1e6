package io.millrace.write.logtext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.slot.OutlinedSource;
import io.millrace.write.loganalyzer.LogAnalyzer;
import io.millrace.write.loganalyzer.WholeTokens;
import io.millrace.write.logtext.PhraseShape.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.opensearch.common.lucene.search.MultiPhrasePrefixQuery;
import org.opensearch.index.analysis.AnalyzerScope;
import org.opensearch.index.analysis.NamedAnalyzer;
import org.opensearch.index.mapper.TextFieldMapper;

/**
 * A phrase is seen in a source's bytes exactly where Lucene's phrase queries find it in an index of
 * the value, or not decided there; and read off a template's bytes as off its positions.
 *
 * <p>For hours: {@code mvn -pl write -am test -Dtest=SourceScanFuzz
 * -Dsurefire.failIfNoSpecifiedTests=false -Dmillrace.fuzz.rounds=100000000
 * -Dmillrace.fuzz.seed=...}.
 */
class SourceScanFuzz {
  private static final long SEED = Long.getLong("millrace.fuzz.seed", 20261123L);
  private static final int ROUNDS = Integer.getInteger("millrace.fuzz.rounds", 8_000);
  static final String FIELD = "message";

  static final String UUID = "deadbeef-0a1b-4000-8bee-00000000000b";
  private static final String[] PIECES = {
    "a", "b", "A", "GET", "get", "b7", "7", "k", "x1", "error", "of", "the", "api", "v1", UUID
  };
  private static final String[] BETWEEN = {
    " ",
    " ",
    " ",
    " ",
    ".",
    "-",
    "/",
    "\\",
    "\"",
    ", ",
    "  ",
    "\n",
    "\t",
    "....",
    "=",
    "\u001b[0m",
    "\u007f",
    "'",
    "\u0000",
    "'s ",
    "_"
  };
  // Kelvin's sign and a dotted I have lower cases in ASCII; digits beyond it; halves of a pair
  private static final String[] ODD = {
    "é",
    "\u212a",
    "\u0130",
    "\ud835\udfd8",
    "\ud83d\ude00",
    "中文",
    "\ud800",
    "\udc00",
    "\u00a0",
    "\u200b",
    "ｆｕｌｌ",
    "\u0661",
    "e\u0301",
    "\u2028"
  };

  private final TextFieldMapper.TextFieldType type = new TextFieldMapper.TextFieldType(FIELD);

  SourceScanFuzz() {
    type.setIndexAnalyzer(
        new NamedAnalyzer(
            "words",
            AnalyzerScope.INDEX,
            new LogAnalyzer(WholeTokens.WORDS),
            TextFieldMapper.Defaults.POSITION_INCREMENT_GAP));
  }

  private static <T> T any(Random random, T[] of) {
    return of[random.nextInt(of.length)];
  }

  private static String value(Random random) {
    StringBuilder out = new StringBuilder();
    boolean odd = random.nextInt(4) == 0;
    for (int n = random.nextInt(16); n > 0; n--) {
      if (random.nextInt(120) == 0) {
        out.append(any(random, PIECES).repeat(84 + random.nextInt(90)));
      } else if (odd && random.nextInt(6) == 0) {
        out.append(any(random, ODD));
      } else {
        out.append(any(random, PIECES));
      }
      if (random.nextInt(8) > 0) {
        out.append(any(random, BETWEEN));
      }
    }
    return out.toString();
  }

  /** A JSON string that stands for a value, in one of the ways that there are. */
  private static void quoted(String value, Random random, ByteArrayOutputStream out)
      throws IOException {
    boolean numbered = random.nextInt(8) == 0;
    out.write('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      int letter = "\b\f\n\r\t".indexOf(c);
      if (Character.isHighSurrogate(c)
          && i + 1 < value.length()
          && Character.isLowSurrogate(value.charAt(i + 1))
          && !numbered) {
        out.write(value.substring(i, i + 2).getBytes(StandardCharsets.UTF_8));
        i++;
      } else if (c == '"' || c == '\\' || c == '/' && random.nextInt(4) == 0) {
        out.write('\\');
        out.write(c);
      } else if (letter >= 0) {
        out.write('\\');
        out.write("bfnrt".charAt(letter));
      } else if (c < ' ' || Character.isSurrogate(c) || numbered && random.nextInt(8) == 0) {
        out.write(String.format(Locale.ROOT, "\\u%04x", (int) c).getBytes(StandardCharsets.UTF_8));
      } else {
        out.write(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      }
    }
    out.write('"');
  }

  /** An object with the value, perhaps behind other fields, and zeros and rubbish behind it. */
  private static byte[] source(List<String> values, Random random, int[] length)
      throws IOException {
    String[] others = {
      "\"n\":17",
      "\"message2\" : \"a b\"",
      "\"o\":{\"message\":\"a b c\",\"l\":[1,{\"x\":\"]}\\\"\"},[]]}",
      "\"t\": true",
      "\"z\":null",
      "\"e\":\"\\\\\"",
      "\"l\":[\"a\",\"message\"]",
      "\"\":{}"
    };
    String[] spaces = {"", "", " ", "\n\t"};
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write((any(random, spaces) + "{" + any(random, spaces)).getBytes(StandardCharsets.UTF_8));
    for (int n = random.nextInt(3); n > 0; n--) {
      out.write((any(random, others) + any(random, spaces)).getBytes(StandardCharsets.UTF_8));
      out.write((',' + any(random, spaces)).getBytes(StandardCharsets.UTF_8));
    }
    out.write(
        ("\"message\"" + any(random, spaces) + ":" + any(random, spaces))
            .getBytes(StandardCharsets.UTF_8));
    if (values.size() == 1) {
      quoted(values.getFirst(), random, out);
    } else {
      out.write('[');
      for (int i = 0; i < values.size(); i++) {
        if (i > 0) {
          out.write(',');
        }
        quoted(values.get(i), random, out);
      }
      out.write(']');
    }
    out.write((any(random, spaces) + "}").getBytes(StandardCharsets.UTF_8));
    length[0] = out.size();
    out.write(new byte[SourceScan.ZEROS]);
    out.write(" rubbish\",\"message\":\"a rubbish\"}".getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }

  private record Token(String text, int position) {}

  private List<Token> tokens(String value) throws IOException {
    List<Token> out = new ArrayList<>();
    try (TokenStream stream = type.indexAnalyzer().tokenStream(FIELD, value)) {
      TermToBytesRefAttribute term = stream.addAttribute(TermToBytesRefAttribute.class);
      PositionIncrementAttribute step = stream.addAttribute(PositionIncrementAttribute.class);
      stream.reset();
      int position = -1;
      while (stream.incrementToken()) {
        position += step.getPositionIncrement();
        out.add(new Token(term.getBytesRef().utf8ToString(), position));
      }
      stream.end();
    }
    return out;
  }

  private static Term term(String text, boolean cut, Random random) {
    int end =
        cut
            ? text.offsetByCodePoints(0, 1 + random.nextInt(text.codePointCount(0, text.length())))
            : text.length();
    return new Term(FIELD, text.substring(0, end));
  }

  /** Places and positions, mostly of neighbours in a value. */
  private static PhraseShape shape(List<Token> tokens, Random random) {
    boolean prefix = random.nextInt(4) == 0;
    int places = 1 + random.nextInt(4);
    Term[][] terms = new Term[places][];
    int[] positions = new int[places];
    int at = tokens.isEmpty() ? 0 : random.nextInt(tokens.size());
    int position = tokens.isEmpty() ? 0 : tokens.get(at).position();
    for (int i = 0; i < places; i++) {
      positions[i] = position;
      String text = any(random, PIECES).toLowerCase(Locale.ROOT);
      int wanted = position;
      List<Token> here = tokens.stream().filter(each -> each.position() == wanted).toList();
      if (!here.isEmpty() && random.nextInt(12) > 0) {
        text = here.get(random.nextInt(here.size())).text();
      }
      boolean cut = prefix && i == places - 1;
      Term first = term(text, cut, random);
      terms[i] =
          random.nextInt(10) == 0
              ? new Term[] {first, term(any(random, PIECES), cut, random)}
              : new Term[] {first};
      position += random.nextInt(12) == 0 ? 2 : 1;
    }
    return new PhraseShape(terms, positions, prefix);
  }

  private static Query query(PhraseShape shape, int expansions) {
    MultiPhraseQuery.Builder exact = new MultiPhraseQuery.Builder();
    MultiPhrasePrefixQuery prefixed = new MultiPhrasePrefixQuery(FIELD);
    prefixed.setMaxExpansions(expansions);
    for (int i = 0; i < shape.terms().length; i++) {
      exact.add(shape.terms()[i], shape.positions()[i]);
      prefixed.add(shape.terms()[i], shape.positions()[i]);
    }
    return shape.lastIsPrefix() ? prefixed : exact.build();
  }

  @Test
  void sameAsLucenesPhrases() throws IOException {
    int seen = 0;
    int found = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      Random random = new Random(seed);
      List<String> values = new ArrayList<>(List.of(value(random)));
      while (random.nextInt(10) == 0) {
        values.add(value(random));
      }
      PhraseShape shape = shape(tokens(values.getLast()), random);
      int expansions = shape.lastIsPrefix() ? 1 + random.nextInt(50) : Integer.MAX_VALUE;
      PhraseMatcher matcher = PhraseMatcher.of(shape, expansions);
      assertNotNull(matcher);
      SourceScan scan = matcher.scan(FIELD);
      int[] length = {0};
      byte[] source = source(values, random, length);
      SourceScan.Answer answer =
          scan == null ? SourceScan.Answer.UNSEEN : scan.look(source, 0, length[0]);
      Query query = query(shape, expansions);
      boolean expected = PhraseMatcher.matchesIndexed(query, type, values);
      boolean actual =
          answer == SourceScan.Answer.UNSEEN
              ? matcher.matches(query, type, values)
              : answer == SourceScan.Answer.YES;
      assertEquals(
          expected, actual, () -> query + " in " + values + ", seen: " + answer + ", seed " + seed);
      seen += answer == SourceScan.Answer.UNSEEN ? 0 : 1;
      found += expected ? 1 : 0;
    }
    assertTrue(seen > ROUNDS / 3, "decided by bytes: " + seen);
    assertTrue(found > ROUNDS / 10 && found < ROUNDS * 9 / 10, "found: " + found);
  }

  @Test
  void anOutlineDecidesWhatEverySourceHolds() throws IOException {
    int[] decided = {0, 0, 0, 0};
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      Random random = new Random(seed);
      List<String> values = List.of(value(random));
      PhraseShape shape = shape(tokens(values.getFirst()), random);
      int expansions = 1 + random.nextInt(50);
      PhraseMatcher matcher = PhraseMatcher.of(shape, expansions);
      assertNotNull(matcher);
      SourceScan scan = matcher.scan(FIELD);
      if (scan == null) {
        continue;
      }
      int[] length = {0};
      byte[] source = source(values, random, length);
      byte[] outline = new byte[source.length];
      int[] longest = {0};
      List<StringBuilder> holes = new ArrayList<>();
      int end = HiddenWords.outline(source, length[0], random, outline, longest, holes);
      int most = scan.outlines().holds(outline, 0, end);
      Query query = query(shape, expansions);
      String about = query + " in " + values + ", seed " + seed;
      if (longest[0] <= most) {
        decided[shape.lastIsPrefix() ? 1 : 0]++;
        assertTrue(PhraseMatcher.matchesIndexed(query, type, values), about);
      } else if (most < OutlinedSource.UNDECIDED && longest[0] <= OutlinedSource.LONGEST_HOLE) {
        boolean byHoles = most == OutlinedSource.BY_HOLES;
        boolean holds =
            byHoles && HiddenWords.hold(scan.outlines().condition(outline, 0, end), holes);
        decided[byHoles ? 2 : 3]++;
        assertEquals(PhraseMatcher.matchesIndexed(query, type, values), holds, about);
      }
    }
    assertTrue(
        decided[0] > ROUNDS / 20
            && decided[1] > ROUNDS / 80
            && decided[2] > ROUNDS / 80
            && decided[3] > ROUNDS / 80,
        () -> "decided by outlines: " + Arrays.toString(decided));
  }

  /** What is cut off is never decided, whatever the buffer held before. */
  @Test
  void brokenSourcesAreLeftToAParser() throws IOException {
    for (int round = 0; round < ROUNDS / 4; round++) {
      Random random = new Random(SEED + round);
      String value = value(random);
      PhraseMatcher matcher =
          PhraseMatcher.of(
              new PhraseShape(new Term[][] {{new Term(FIELD, "rubbish")}}, new int[] {0}, false),
              Integer.MAX_VALUE);
      assertNotNull(matcher);
      SourceScan scan = matcher.scan(FIELD);
      assertNotNull(scan);
      int[] length = {0};
      byte[] source = source(List.of(value), random, length);
      int cut = random.nextInt(length[0] - 1);
      byte[] broken = Arrays.copyOf(source, cut);
      assertTrue(scan.look(broken, 0, cut) != SourceScan.Answer.YES);
      Arrays.fill(source, cut, cut + SourceScan.ZEROS, (byte) 0);
      assertTrue(scan.look(source, 0, cut) != SourceScan.Answer.YES);
    }
  }

  @Test
  void templatesSayTheSameByTheirBytes() {
    int[] answers = new int[Answer.values().length];
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder();
      List<Token> tokens = new ArrayList<>();
      String[] words = {"a", "b", "get", "k", "é", "中文"};
      int positions = 1 + random.nextInt(12);
      for (int position = 0; position < positions; position++) {
        text.append((char) Reserved.POSITION);
        if (random.nextInt(4) == 0) {
          tokens.add(new Token("7", position));
          continue;
        }
        String part = any(random, words);
        text.append(part);
        tokens.add(new Token(part, position));
        if (random.nextInt(4) == 0) {
          String whole = part + "." + any(random, words);
          text.append((char) Reserved.WHOLE).append(whole);
          tokens.add(new Token(whole, position));
        }
      }
      BytesRef template = new BytesRef(text);
      PhraseShape shape = shape(tokens, random);
      PhrasePattern pattern = PhrasePattern.of(shape);
      assertNotNull(pattern);
      Answer expected = shape.over(TemplateDictionary.positions(template));
      assertEquals(
          expected,
          PhraseTemplates.over(template, pattern),
          () -> query(shape, 1) + " over " + tokens + ", seed " + seed);
      answers[expected.ordinal()]++;
    }
    for (int count : answers) {
      assertTrue(count > ROUNDS / 20, () -> Arrays.toString(answers));
    }
  }
}
