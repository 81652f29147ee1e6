package io.millrace.bench.peers;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.peers.PeerSearch.Kind;
import io.millrace.bench.term.BenchFailure;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Searches made of sampled documents, so that each finds something. Words are of small ASCII
 * letters and stand between spaces where they were taken: then all sides take them for a word, also
 * those that know capitals from small letters. Elsewhere the same letters may stand beside a dot or
 * an underscore, where sides split differently.
 */
final class PeerSearches {
  private static final Pattern WORD = Pattern.compile("(?<!\\S)[a-z]{4,}(?!\\S)");
  private static final Pattern PHRASE =
      Pattern.compile("(?<!\\S)[a-z]{2,} [0-9]{2,}(?: [a-z]{2,})?(?!\\S)");

  /** A frequent word stands in at least this share of the documents. */
  private static final double FREQUENT = 0.005;

  private static final int ATTEMPTS = 50;
  private static final long SECOND = 1000;

  private final List<String> ids = new ArrayList<>();
  private final List<String> messages = new ArrayList<>();
  private final SplittableRandom random;
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;

  /** Searches of the same documents and seed are the same. */
  PeerSearches(List<byte[]> documents, long seed) {
    random = new SplittableRandom(seed);
    for (byte[] document : documents) {
      JsonNode json = BenchJson.parse(document);
      ids.add(json.path("trace_id").asText());
      messages.add(json.path("message").asText());
      long time = PeerAnswer.millis(json.path("@timestamp"));
      first = Math.min(first, time);
      last = Math.max(last, time);
    }
    if (last - first < 4 * SECOND) {
      throw new BenchFailure("--docs: too few documents to search in; take at least 1000");
    }
  }

  /** So many different searches of each kind, fewer where the documents do not give so many. */
  Map<Kind, List<PeerSearch>> byKind(int each) {
    Map<Kind, List<PeerSearch>> all = new EnumMap<>(Kind.class);
    all.put(Kind.ID, different(each, () -> of(Kind.ID, pick(ids))));
    List<String> frequent = frequentWords();
    all.put(Kind.WORD, different(each, () -> of(Kind.WORD, pick(frequent))));
    all.put(Kind.WORDS, different(each, () -> of(Kind.WORDS, twoWords())));
    all.put(Kind.PHRASE, different(each, () -> of(Kind.PHRASE, phrase())));
    all.put(Kind.COUNTS, different(each, this::window));
    return all;
  }

  /** A search of all documents; the sample lacks the last ones of the time. */
  private PeerSearch of(Kind kind, String text) {
    long start = first / PeerSearch.INTERVAL * PeerSearch.INTERVAL;
    return new PeerSearch(kind, text, start, last + PeerSearch.INTERVAL);
  }

  private static List<PeerSearch> different(int each, Supplier<PeerSearch> maker) {
    Set<PeerSearch> seen = new LinkedHashSet<>();
    for (int i = 0; i < each * ATTEMPTS && seen.size() < each; i++) {
      seen.add(maker.get());
    }
    return List.copyOf(seen);
  }

  private List<String> frequentWords() {
    Map<String, Integer> documents = new HashMap<>();
    for (String message : messages) {
      new HashSet<>(matches(WORD, message)).forEach(word -> documents.merge(word, 1, Integer::sum));
    }
    return documents.entrySet().stream()
        .filter(entry -> entry.getValue() >= FREQUENT * messages.size())
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private String twoWords() {
    while (true) {
      List<String> words = matches(WORD, pick(messages)).stream().distinct().sorted().toList();
      if (words.size() > 1) {
        int one = random.nextInt(words.size());
        int other = (one + 1 + random.nextInt(words.size() - 1)) % words.size();
        return words.get(one) + " " + words.get(other);
      }
    }
  }

  private String phrase() {
    while (true) {
      List<String> phrases = matches(PHRASE, pick(messages));
      if (!phrases.isEmpty()) {
        return pick(phrases);
      }
    }
  }

  /** A window of a quarter to three quarters of the time. */
  private PeerSearch window() {
    long seconds = (last - first) / SECOND;
    long length = seconds / 4 + random.nextLong(seconds / 2);
    long from = first / SECOND + random.nextLong(seconds - length);
    return PeerSearch.counts(from * SECOND, (from + length) * SECOND);
  }

  private String pick(List<String> from) {
    if (from.isEmpty()) {
      throw new BenchFailure("the documents have no word to search for");
    }
    return from.get(random.nextInt(from.size()));
  }

  private static List<String> matches(Pattern pattern, String message) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(message);
    while (matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }
}
