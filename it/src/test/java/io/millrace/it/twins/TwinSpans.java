package io.millrace.it.twins;

import static io.millrace.it.twins.Draw.object;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Intervals and spans, over {@code placed}: in one index a {@code log_text}, in its twin a {@code
 * text}. They stand in a filter, because spans are scored as where each token stands once.
 */
final class TwinSpans {
  static final Set<String> KINDS =
      Set.of(
          "intervals",
          "span_term",
          "span_near",
          "span_or",
          "span_not",
          "span_first",
          "span_containing",
          "span_within",
          "span_multi",
          "span_field_masking");

  private final Draw draw;
  private final TwinTexts texts;

  TwinSpans(Draw draw, TwinTexts texts) {
    this.draw = draw;
    this.texts = texts;
  }

  Map<String, Object> query() {
    return of(draw.once(2) ? "intervals" : draw.of(List.copyOf(new java.util.TreeSet<>(KINDS))));
  }

  Map<String, Object> of(String kind) {
    Object body =
        kind.equals("intervals") ? object("placed", interval(2)) : span(kind, 2).get(kind);
    return object("bool", object("filter", object(kind, body)));
  }

  private Map<String, Object> interval(int depth) {
    Map<String, Object> rule = object();
    switch (depth == 0 ? draw.below(3) : draw.below(6)) {
      case 0 -> rule.put("prefix", filtered(object("prefix", texts.part()), 0));
      case 3 ->
          rule.put(
              "any_of",
              filtered(object("intervals", draw.list(2, () -> interval(depth - 1))), depth));
      case 4 -> {
        Map<String, Object> all = object("intervals", draw.list(2, () -> interval(depth - 1)));
        draw.with(all, 2, "mode", draw.any("ordered", "unordered", "unordered_no_overlap"));
        rule.put(
            "all_of", filtered(draw.with(all, 2, "max_gaps", draw.any(-1, 0, 1, 3, 20)), depth));
      }
      default -> {
        Map<String, Object> match = object("query", texts.cut(4));
        draw.with(match, 2, "max_gaps", draw.any(-1, 0, 1, 3, 20));
        draw.with(match, 2, "ordered", true);
        draw.with(match, 8, "analyzer", draw.any("standard", "whitespace"));
        rule.put("match", filtered(match, depth));
      }
    }
    return rule;
  }

  private Map<String, Object> filtered(Map<String, Object> rule, int depth) {
    if (depth > 0 && draw.once(5)) {
      String filter =
          draw.any(
              "containing",
              "not_containing",
              "contained_by",
              "not_contained_by",
              "overlapping",
              "not_overlapping",
              "before",
              "after");
      rule.put("filter", object(filter, interval(depth - 1)));
    }
    return rule;
  }

  private Map<String, Object> span(int depth) {
    return span(
        depth == 0
            ? draw.any("span_term", "span_multi")
            : draw.any(
                "span_term",
                "span_near",
                "span_or",
                "span_not",
                "span_first",
                "span_containing",
                "span_within",
                "span_multi"),
        depth);
  }

  private Map<String, Object> span(String kind, int depth) {
    int next = Math.max(0, depth - 1);
    return object(
        kind,
        switch (kind) {
          case "span_term" -> object("placed", texts.token());
          case "span_near" ->
              object(
                  "clauses",
                  draw.list(2, () -> span(next)),
                  "slop",
                  draw.below(6),
                  "in_order",
                  draw.once(2));
          case "span_or" -> object("clauses", draw.list(2, () -> span(next)));
          case "span_not" ->
              object("include", span(next), "exclude", span(next), "dist", draw.below(2));
          case "span_first" -> object("match", span(next), "end", 1 + draw.below(5));
          case "span_containing", "span_within" -> object("big", span(next), "little", span(next));
          case "span_field_masking" -> object("query", span(next), "field", "placed");
          default -> {
            String part = texts.part();
            yield object(
                "match",
                draw.any(
                    object("prefix", object("placed", part)),
                    object("wildcard", object("placed", "*" + part)),
                    object("regexp", object("placed", part.replaceAll("\\W", ".") + ".*")),
                    object(
                        "fuzzy", object("placed", object("value", texts.token(), "fuzziness", 1))),
                    object("range", object("placed", object("gte", part)))));
          }
        });
  }
}
