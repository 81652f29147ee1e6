package io.millrace.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.peers.PeerSearch.Kind;
import io.millrace.bench.term.BenchFailure;
import io.millrace.corpus.LogGenerator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PeerSearchesTest {
  private static final int EACH = 20;

  private static List<byte[]> documents(int count) {
    LogGenerator generator = new LogGenerator(7);
    List<byte[]> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      documents.add(generator.next());
    }
    return documents;
  }

  private static Map<Kind, List<PeerSearch>> searches() {
    return new PeerSearches(documents(2000), 3).byKind(EACH);
  }

  @Test
  void everyKindHasAsManyDifferentSearchesAsWereAskedFor() {
    searches()
        .forEach((kind, all) -> {
          assertEquals(EACH, all.size(), kind::toString);
          assertEquals(EACH, new HashSet<>(all).size(), kind::toString);
        });
  }

  @Test
  void theSameSeedGivesTheSameSearches() {
    assertEquals(searches(), searches());
  }

  @Test
  void whatIsSearchedForStandsInADocument() {
    List<JsonNode> documents = documents(2000).stream().map(BenchJson::parse).toList();
    for (PeerSearch search : searches().get(Kind.PHRASE)) {
      assertTrue(search.text().matches(".*[0-9]{2,}.*"), search.text());
      assertTrue(
          documents.stream().anyMatch(one -> one.path("message").asText().contains(search.text())),
          search.text());
    }
    for (PeerSearch search : searches().get(Kind.WORDS)) {
      String[] words = search.text().split(" ");
      assertEquals(2, words.length);
      assertFalse(words[0].equals(words[1]));
    }
  }

  @Test
  void windowsAreWholeSecondsWithinTheTimeOfTheDocuments() {
    for (PeerSearch search : searches().get(Kind.COUNTS)) {
      assertEquals(0, search.from() % 1000);
      assertEquals(0, search.to() % 1000);
      assertTrue(search.from() < search.to());
    }
  }

  @Test
  void documentsOfAMomentAreTooFew() {
    assertThrows(BenchFailure.class, () -> new PeerSearches(documents(1), 3));
  }

  @Test
  void timesAreReadAsSidesWriteThem() {
    long expected = 1_700_000_000_123L;
    for (String time :
        List.of(
            "1700000000123",
            "\"2023-11-14T22:13:20.123Z\"",
            "\"2023-11-14 22:13:20.123\"",
            "\"2023-11-14 22:13:20.123000\"",
            "[\"2023-11-14 22:13:20.123000+00:00\"]")) {
      assertEquals(expected, PeerAnswer.millis(json(time)), time);
    }
    assertThrows(IllegalArgumentException.class, () -> PeerAnswer.millis(json("\"yesterday\"")));
  }

  private static JsonNode json(String text) {
    return BenchJson.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
