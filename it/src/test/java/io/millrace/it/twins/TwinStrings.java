package io.millrace.it.twins;

import static io.millrace.it.twins.Draw.object;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Queries that are typed: {@code query_string} and {@code simple_query_string}. */
final class TwinStrings {
  private final Draw draw;
  private final TwinTexts texts;
  private final TwinQueries queries;

  TwinStrings(Draw draw, TwinTexts texts, TwinQueries queries) {
    this.draw = draw;
    this.texts = texts;
    this.queries = queries;
  }

  private static String escaped(String text) {
    return text.replaceAll("([^\\p{L}\\p{N} ])", "\\\\$1");
  }

  private String clause() {
    String field =
        draw.once(2)
            ? ""
            : draw.any(queries.field(), queries.field(), "_exists_", "me*", "\\*") + ":";
    String token = escaped(texts.token());
    return field
        + draw.any(
            token,
            "\"" + escaped(texts.cut(4)) + "\"",
            "\"" + escaped(texts.cut(3)) + "\"~2",
            "(" + escaped(texts.cut(3)) + ")",
            TwinQueries.head(token, 3) + "*",
            "*" + token + "*",
            "?" + token,
            token + "~",
            token + "~1",
            token + "^3",
            "[" + TwinQueries.head(texts.token(), 1) + " TO x]",
            "{a TO *}",
            ">=" + token,
            "/" + TwinQueries.head(texts.token(), 2).replaceAll("\\W", ".") + ".*/",
            texts.cut(2),
            "*");
  }

  /** Adds both kinds. */
  void addTo(Map<String, Supplier<Object>> leaves) {
    leaves.put(
        "query_string",
        () -> {
          Map<String, Object> body =
              object(
                  "query",
                  clause()
                      + draw.any("", " AND ", " OR ", " NOT ", " +", " -", " && ", " ")
                      + clause());
          if (draw.once(2)) {
            body.put("default_field", draw.any(queries.field(), "*"));
          } else {
            body.put("fields", List.of(queries.text(), queries.field()));
          }
          draw.with(body, 3, "default_operator", "and");
          draw.with(body, 3, "analyze_wildcard", true);
          draw.with(body, 2, "lenient", true);
          draw.with(body, 5, "type", draw.any("cross_fields", "phrase", "most_fields"));
          draw.with(body, 5, "phrase_slop", 1);
          draw.with(body, 5, "minimum_should_match", "2");
          draw.with(body, 5, "quote_field_suffix", ".raw");
          return body;
        });
    leaves.put(
        "simple_query_string",
        () -> {
          Map<String, Object> body =
              object(
                  "query",
                  draw.any(clause(), texts.cut(4))
                      + draw.any(" | ", " + ", " -", " ", " (")
                      + draw.any(
                          "\"" + texts.cut(3) + "\"",
                          texts.part() + "*",
                          texts.token() + "~1",
                          "\"" + texts.cut(2) + "\"~2"));
          body.put(
              "fields",
              draw.once(4) ? List.of("*") : List.of(queries.text(), queries.field() + "^2"));
          draw.with(body, 3, "default_operator", "and");
          draw.with(body, 3, "flags", draw.any("ALL", "NONE", "OR|AND|PREFIX", "PHRASE|SLOP"));
          draw.with(body, 3, "analyze_wildcard", true);
          return draw.with(body, 2, "lenient", true);
        });
  }
}
