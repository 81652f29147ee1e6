package io.millrace.write.logtext;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.RegExp;
import org.junit.jupiter.api.Test;
import org.opensearch.common.lucene.search.AutomatonQueries;

/** Walks over tokens by a digest find what looking at each of them finds. */
class PartOfTokenTest {
  private static final String LETTERS = "aabbcxyz01279äß文𐐀";

  private static Term term(String text) {
    return new Term("m", text);
  }

  private static List<String> runs(MultiTermQuery query) {
    return RequiredBytes.of(((AutomatonQuery) query).getCompiled()).stream()
        .map(run -> new String(run, StandardCharsets.UTF_8))
        .toList();
  }

  @Test
  void whatAPatternRequires() {
    assertTrue(runs(new WildcardQuery(term("*rder*"))).contains("rder"));
    assertTrue(runs(new WildcardQuery(term("?rder"))).contains("rder"));
    assertTrue(
        runs(new WildcardQuery(term("*one*three?five"))).containsAll(List.of("one", "five")));
    assertTrue(runs(new WildcardQuery(term("*gr\\*ße*"))).contains("gr*ße"));
    assertTrue(runs(new RegexpQuery(term(".*time(out|d)s.*"))).contains("time"));
    assertTrue(
        runs((MultiTermQuery)
                AutomatonQueries.caseInsensitiveWildcardQuery(
                    term("*oRDer*"), MultiTermQuery.CONSTANT_SCORE_REWRITE))
            .contains("order"));
    assertTrue(
        runs(new RegexpQuery(term(".*Fail.*"), RegExp.ALL, RegExp.CASE_INSENSITIVE))
            .contains("fail"));
    assertEquals(List.of(), runs(new RegexpQuery(term(".*(abc)?.*x*"))));
    assertEquals(List.of(), runs(new RegexpQuery(term("(.*abc.*|.*def.*)"))));
  }

  @Test
  void otherQueriesAreLeftToLucene() {
    assertNotNull(PartOfToken.of(new WildcardQuery(term("*rder*"))));
    assertNull(PartOfToken.of(new WildcardQuery(term("o*rder*"))), "begins with a letter");
    assertNull(PartOfToken.of(new WildcardQuery(term("*rd*"))), "too short");
    assertNull(PartOfToken.of(new WildcardQuery(term("*"))));
    assertNull(PartOfToken.of(new WildcardQuery(term("order"))));
    assertNull(PartOfToken.of(new PrefixQuery(term("order"))));
    assertNull(PartOfToken.of(new RegexpQuery(term("order.*"))));
  }

  private static BytesRef[] tokens(Random random, int count) {
    int[] letters = LETTERS.codePoints().toArray();
    TreeSet<BytesRef> sorted = new TreeSet<>();
    while (sorted.size() < count) {
      StringBuilder token = new StringBuilder();
      for (int length = 1 + random.nextInt(12); length > 0; length--) {
        token.appendCodePoint(letters[random.nextInt(letters.length)]);
      }
      if (random.nextInt(50) == 0) {
        token.append("long".repeat(random.nextInt(60)));
      }
      sorted.add(new BytesRef(token));
    }
    return sorted.toArray(new BytesRef[0]);
  }

  private static MultiTermQuery query(Random random, BytesRef[] tokens) {
    String from = tokens[random.nextInt(tokens.length)].utf8ToString();
    int[] points = from.codePoints().toArray();
    int begin = random.nextInt(points.length);
    int length = 1 + random.nextInt(Math.min(points.length - begin, 6));
    String part = new String(points, begin, length);
    return switch (random.nextInt(7)) {
      case 0 -> new WildcardQuery(term("*" + part));
      case 1 -> new WildcardQuery(term("?" + part + "*"));
      case 2 -> new RegexpQuery(term(".*" + part + ".*"));
      case 3 -> new RegexpQuery(term(".*(" + part + "|xyz)[a-z0-9]*"));
      case 4 ->
          (MultiTermQuery)
              AutomatonQueries.caseInsensitiveWildcardQuery(
                  term("*" + part.toUpperCase(Locale.ROOT) + "*"),
                  MultiTermQuery.CONSTANT_SCORE_REWRITE);
      case 5 -> new WildcardQuery(term("*" + part + "*" + points[0] % 10 + "*"));
      default -> new WildcardQuery(term("*" + part + "*"));
    };
  }

  private static List<String> all(PostingsUnion.Walk walk) throws IOException {
    List<String> found = new ArrayList<>();
    for (TermsEnum at = walk.next(); at != null; at = walk.next()) {
      found.add(at.term().utf8ToString());
    }
    assertNull(walk.next(), "the end stays the end");
    return found;
  }

  @Test
  void bothWalksFindWhatIsThere() throws IOException {
    long seed = Long.getLong("millrace.fuzz.seed", new Random().nextLong());
    Random random = new Random(seed);
    int used = 0;
    for (int round = 0; round < 20; round++) {
      BytesRef[] tokens = tokens(random, 1 + random.nextInt(3_000));
      TokenTerms terms = new TokenTerms(tokens);
      TermDigest[] made = new TermDigest[1];
      for (int i = 0; i < 60; i++) {
        MultiTermQuery query = query(random, tokens);
        PartOfToken part = PartOfToken.of(query);
        if (part == null) {
          continue;
        }
        used++;
        List<String> expected =
            Arrays.stream(tokens)
                .filter(t ->
                    ((AutomatonQuery) query)
                        .getCompiled()
                        .runAutomaton
                        .run(t.bytes, t.offset, t.length))
                .map(BytesRef::utf8ToString)
                .toList();
        String what = query + " seed " + seed;
        made[0] = null;
        assertEquals(expected, all(part.walk(terms, () -> {}, d -> made[0] = d)), what);
        TermDigest digest = made[0];
        assertNotNull(digest);
        assertEquals((tokens.length + TermDigest.BLOCK - 1) / TermDigest.BLOCK, digest.blocks());
        assertEquals(expected, all(part.walk(terms, digest, () -> {})), what);
      }
    }
    assertTrue(used > 100, "queries that it is for: " + used);
  }

  @Test
  void aDigestSparesTheIds() throws IOException {
    TreeSet<BytesRef> sorted = new TreeSet<>();
    Random random = new Random(7);
    while (sorted.size() < 20_000) {
      sorted.add(new BytesRef(Long.toHexString(random.nextLong())));
    }
    sorted.add(new BytesRef("reorder"));
    TokenTerms terms = new TokenTerms(sorted.toArray(new BytesRef[0]));
    PartOfToken part = PartOfToken.of(new WildcardQuery(term("*rder*")));
    assertNotNull(part);
    TermDigest[] made = new TermDigest[1];
    int[] looked = {0};
    all(part.walk(terms, () -> looked[0]++, d -> made[0] = d));
    assertEquals(20_001, looked[0]);
    looked[0] = 0;
    List<String> found = all(part.walk(terms, made[0], () -> looked[0]++));
    assertArrayEquals(new Object[] {"reorder"}, found.toArray());
    assertTrue(looked[0] <= 1_000, "tokens that were looked at: " + looked[0]);
    assertTrue(made[0].bytes() < 3L * terms.size(), "bytes: " + made[0].bytes());
    assertTrue(made[0].bytes() < 1.1 * TermDigest.estimate(terms.size()));
  }
}
