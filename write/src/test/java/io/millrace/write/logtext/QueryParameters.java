package io.millrace.write.logtext;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentBuilder;

/** Gives the body of a query one or two parameters more, and other words. */
final class QueryParameters {
  private static final List<String> WORDS =
      List.of(
          "opened", "session", "wsgi", "nova.wsgi.server", "7", "http2", "rare", "twice", "absent");

  private static final Map<String, List<Object>> VALUES =
      Map.ofEntries(
          Map.entry("operator", List.of("and", "or")),
          Map.entry("default_operator", List.of("and", "or")),
          Map.entry("fuzziness", List.of("AUTO", 1, 2, 0)),
          Map.entry("fuzzy_rewrite", List.of("constant_score", "top_terms_3", "scoring_boolean")),
          Map.entry(
              "rewrite",
              List.of(
                  "constant_score",
                  "constant_score_blended",
                  "constant_score_boolean",
                  "scoring_boolean",
                  "top_terms_2",
                  "top_terms_boost_2",
                  "top_terms_blended_freqs_2")),
          Map.entry("minimum_should_match", List.of("1", "2", "75%", "-1")),
          Map.entry("slop", List.of(0, 1, 3)),
          Map.entry("analyzer", List.of("millrace_log", "millrace_log_words", "standard")),
          Map.entry("boost", List.of(0.5, 3)),
          Map.entry("max_expansions", List.of(1, 3, 50)),
          Map.entry("prefix_length", List.of(0, 2)),
          Map.entry("transpositions", List.of(true, false)),
          Map.entry("case_insensitive", List.of(true, false)),
          Map.entry("cutoff_frequency", List.of(0.01, 0.3, 5)),
          Map.entry("zero_terms_query", List.of("all", "none")),
          Map.entry(
              "type",
              List.of(
                  "best_fields",
                  "most_fields",
                  "cross_fields",
                  "phrase",
                  "phrase_prefix",
                  "bool_prefix")),
          Map.entry("tie_breaker", List.of(0.3, 1.0)),
          Map.entry("lenient", List.of(true)),
          Map.entry("analyze_wildcard", List.of(true)),
          Map.entry("auto_generate_synonyms_phrase_query", List.of(false)));

  private QueryParameters() {}

  /**
   * @param body of a query, as JSON
   * @return the same with one or two parameters more and perhaps other words; may be no valid query
   */
  static String vary(String body, Random random) {
    String other =
        random.nextBoolean()
            ? body
            : body.replaceFirst("opened|session|wsgi", WORDS.get(random.nextInt(WORDS.size())));
    Map<String, Object> query =
        new HashMap<>(XContentHelper.convertToMap(JsonXContent.jsonXContent, other, true));
    query.replaceAll((kind, inner) -> varied(inner, random));
    return json(query);
  }

  @SuppressWarnings("unchecked")
  private static Object varied(Object inner, Random random) {
    if (!(inner instanceof Map<?, ?> found)) {
      return inner;
    }
    Map<String, Object> parameters = new HashMap<>((Map<String, Object>) found);
    Object ofField = parameters.get("message");
    if (ofField instanceof Map<?, ?> known) {
      parameters.put("message", with((Map<String, Object>) known, random));
      return parameters;
    }
    if (ofField instanceof String text) {
      String name = random.nextBoolean() ? "value" : "query";
      parameters.put("message", with(Map.of(name, text), random));
      return parameters;
    }
    return with(parameters, random);
  }

  private static Map<String, Object> with(Map<String, Object> parameters, Random random) {
    Map<String, Object> more = new HashMap<>(parameters);
    List<String> names = new ArrayList<>(VALUES.keySet());
    names.sort(null);
    for (int i = 0; i <= random.nextInt(2); i++) {
      String name = names.get(random.nextInt(names.size()));
      List<Object> values = VALUES.getOrDefault(name, List.of());
      more.put(name, values.get(random.nextInt(values.size())));
    }
    return more;
  }

  private static String json(Map<String, Object> map) {
    try (XContentBuilder builder = XContentFactory.jsonBuilder()) {
      return builder.map(map).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
