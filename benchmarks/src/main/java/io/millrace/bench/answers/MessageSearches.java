package io.millrace.bench.answers;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.json.BenchJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Searches of a message field by classes, made of words of sampled messages, so that each finds
 * something. Those that give hits sort by an order that no two documents share.
 */
public final class MessageSearches {
  private static final String FIELD = "message";
  private static final int ATTEMPTS = 200;

  private final List<String> messages;
  private final SplittableRandom random;

  /**
   * Searches of the same messages and seed are the same.
   *
   * @param messages to take words of
   */
  public MessageSearches(List<String> messages, long seed) {
    this.messages = messages;
    this.random = new SplittableRandom(seed);
  }

  /** So many different searches of each class; fewer where the messages do not give so many. */
  public Map<String, List<Query>> byClass(int each) {
    Map<String, List<Query>> all = new LinkedHashMap<>();
    add(all, "one word", each, () -> hits(match(word())));
    add(all, "both words", each, () -> hits(both(words(2, null))));
    add(all, "phrase", each, () -> hits(phrase("match_phrase", words(3, false))));
    add(all, "phrase with a number", each, () -> hits(phrase("match_phrase", words(3, true))));
    add(all, "count of a phrase", each, () -> count(phrase("match_phrase", words(3, null))));
    add(
        all,
        "phrase prefix",
        each,
        () -> hits(phrase("match_phrase_prefix", cutLast(words(3, null)))));
    add(all, "prefix", each, () -> hits(Map.of("prefix", Map.of(FIELD, cut(word())))));
    add(all, "wildcard", each, () -> hits(wildcard(cut(word()))));
    add(all, "highlight", each, this::highlight);
    return all;
  }

  private static void add(
      Map<String, List<Query>> all, String kind, int each, Supplier<Map<String, Object>> maker) {
    Set<String> seen = new LinkedHashSet<>();
    for (int i = 0; i < each + ATTEMPTS && seen.size() < each; i++) {
      seen.add(BenchJson.string(maker.get()));
    }
    List<Query> queries = new ArrayList<>();
    seen.forEach(body -> queries.add(new Query(kind, true, body.getBytes(StandardCharsets.UTF_8))));
    all.put(kind, queries);
  }

  private static Map<String, Object> hits(Map<String, Object> query) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("size", 20);
    body.put("track_total_hits", true);
    body.put("query", query);
    body.put("sort", List.of(Map.of("@timestamp", "desc"), Map.of("trace_id", "desc")));
    return body;
  }

  private static Map<String, Object> count(Map<String, Object> query) {
    return Map.of("size", 0, "track_total_hits", true, "query", query);
  }

  private Map<String, Object> highlight() {
    Map<String, Object> body = hits(match(word()));
    body.put("highlight", Map.of("fields", Map.of(FIELD, Map.of())));
    return body;
  }

  private static Map<String, Object> match(String word) {
    return Map.of("match", Map.of(FIELD, word));
  }

  private static Map<String, Object> both(List<String> words) {
    return Map.of(
        "match", Map.of(FIELD, Map.of("query", String.join(" ", words), "operator", "and")));
  }

  private static Map<String, Object> phrase(String kind, List<String> words) {
    return Map.of(kind, Map.of(FIELD, String.join(" ", words)));
  }

  private static Map<String, Object> wildcard(String part) {
    return Map.of("wildcard", Map.of(FIELD, "*" + part + "*"));
  }

  private String word() {
    return words(1, null).getFirst();
  }

  private static String cut(String word) {
    return word.substring(0, Math.min(word.length(), 4)).toLowerCase(Locale.ROOT);
  }

  private static List<String> cutLast(List<String> words) {
    List<String> cut = new ArrayList<>(words);
    cut.set(cut.size() - 1, cut(cut.getLast()));
    return cut;
  }

  /**
   * Neighbouring words of a message.
   *
   * @param numbers whether one of them has a digit; null for both kinds
   */
  private List<String> words(int count, @Nullable Boolean numbers) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      String message = messages.get(random.nextInt(messages.size()));
      String[] all = message.split("[^\\p{Alnum}]+");
      if (all.length >= count) {
        int from = random.nextInt(all.length - count + 1);
        List<String> picked = List.of(all).subList(from, from + count);
        boolean digits =
            picked.stream().anyMatch(word -> word.chars().anyMatch(Character::isDigit));
        if (picked.stream().noneMatch(String::isEmpty) && (numbers == null || numbers == digits)) {
          return picked;
        }
      }
    }
    return List.of("error");
  }

  /** The messages of some hits of a search. */
  public static List<String> messages(JsonNode answer) {
    List<String> found = new ArrayList<>();
    answer
        .path("hits")
        .path("hits")
        .forEach(hit -> found.add(hit.path("_source").path(FIELD).asText()));
    return found;
  }
}
