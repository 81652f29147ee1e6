package io.millrace.it.twins;

import static io.millrace.it.twins.Draw.object;

import com.fasterxml.jackson.databind.util.RawValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Mappings of both indices, and documents with hostile values for each of their fields. */
final class TwinIndices {
  /** With {@code @log} for the type of messages and {@code @placed} for one with positions. */
  private static final String MAPPING =
      """
      {"date_detection": false,
       "dynamic_templates": [
         {"texts": {"match_mapping_type": "string", "match": "*_msg", "mapping": {@log}}},
         {"ids": {"match_mapping_type": "string", "mapping": {"type": "keyword", "ignore_above": 8191}}}],
       "derived": {
         "first": {"type": "keyword", "script": {"source":
            "def m = params._source['message']; if (m instanceof String && m.length() > 0) emit(m.substring(0, 1))"}}},
       "properties": {
        "@timestamp": {"type": "date", "format": "strict_date_optional_time||epoch_millis"},
        "order": {"type": "long"}, "n": {"type": "long"}, "ratio": {"type": "double"},
        "ok": {"type": "boolean"}, "ip": {"type": "ip"}, "nanos": {"type": "date_nanos"},
        "host": {"type": "keyword"}, "title": {"type": "text"},
        "trace_id": {"type": "keyword", "copy_to": "copied_id"}, "copied_id": {"type": "keyword"},
        "span_id": {"type": "keyword", "store": true},
        "request_id": {"type": "keyword", "normalizer": "lower"},
        "short_id": {"type": "keyword", "ignore_above": 20},
        "filled_id": {"type": "keyword", "null_value": "NONE"},
        "parent": {"properties": {"trace_id": {"type": "keyword"}}},
        "message": {@log, "fields": {"raw": {"type": "keyword", "ignore_above": 200},
          "template_id": {"type": "log_template"}}},
        "body": {@log, "copy_to": "copies"}, "copies": {@log},
        "placed": {@placed},
        "alias_message": {"type": "alias", "path": "message"},
        "alias_trace": {"type": "alias", "path": "trace_id"},
        "flat": {"type": "flat_object"}, "stored": {"type": "percolator"},
        "wild": {"type": "wildcard"},
        "objects": {"type": "nested", "properties": {
          "trace_id": {"type": "keyword"}, "text": {@log}}}}}
      """;

  private static final String ANALYZERS =
      "\"analyzer\":\"millrace_log_words\",\"search_analyzer\":\"millrace_log_search\","
          + "\"search_quote_analyzer\":\"millrace_log_parts\"";

  private static final String COMMON =
      "\"number_of_replicas\":0,\"index.refresh_interval\":\"-1\",\"index.gc_deletes\":\"1h\","
          + "\"index.mapping.total_fields.limit\":5000,"
          + "\"analysis\":{\"normalizer\":{\"lower\":{\"type\":\"custom\",\"filter\":[\"lowercase\"]}}}";

  private final Draw draw;
  private final TwinTexts texts;

  /** Whether values come that Lucene refuses; what it took of them by then counts in scores. */
  boolean immense;

  TwinIndices(Draw draw, TwinTexts texts) {
    this.draw = draw;
    this.texts = texts;
  }

  /** The index of the profile. Lenient parsing, which changes answers on purpose, is off. */
  static String ours(int shards, String settings) {
    return body(
        "\"index.millrace.profile\":\"logs\",\"index.millrace.lenient_parsing.enabled\":false,"
            + "\"index.millrace.ordinal_postings.fields\":[\"*_id\",\"message.raw\"],",
        shards,
        settings,
        "\"type\":\"log_text\"",
        "\"type\":\"log_text\"");
  }

  /** Its twin of stock's types. */
  static String twin(int shards, String settings) {
    return body(
        "\"index.millrace.profile\":\"none\",\"index.codec\":\"default\",",
        shards,
        settings,
        "\"type\":\"match_only_text\"," + ANALYZERS,
        "\"type\":\"text\"," + ANALYZERS);
  }

  private static String body(String settings, int shards, String more, String log, String placed) {
    return "{\"settings\":{"
        + settings
        + COMMON
        + ",\"number_of_shards\":"
        + shards
        + more
        + "},\"mappings\":"
        + MAPPING.replace("@log", log).replace("@placed", placed)
        + "}";
  }

  /** A document, mostly of values that both types take. */
  Map<String, Object> document(int order) {
    Map<String, Object> document = object("order", order);
    String message = texts.message();
    if (!draw.once(12)) {
      document.put("message", draw.once(6) ? values(message) : message);
    }
    if (draw.once(2)) {
      document.put("placed", draw.once(6) ? values(message) : message);
    }
    if (draw.once(3)) {
      document.put("body", texts.message());
    }
    for (String id : List.of("trace_id", "span_id", "request_id", "short_id", "filled_id")) {
      if (draw.once(2)) {
        document.put(id, draw.once(8) ? values(texts.id()) : texts.id());
      }
    }
    if (draw.once(3)) {
      document.put(draw.any("parent.trace_id", "host"), texts.id());
    }
    if (draw.once(2)) {
      document.put("host", "host-" + draw.below(9));
      document.put("@timestamp", 1_795_564_800_000L + draw.below(200_000));
      document.put("n", draw.any(draw.below(1000), "" + draw.below(1000), -draw.below(9)));
    }
    if (draw.once(4)) {
      document.put("objects", draw.list(1 + draw.below(3), this::inner));
      document.put("title", texts.cut(5));
    }
    if (draw.once(4)) {
      rare(document);
    }
    return document;
  }

  private Map<String, Object> inner() {
    return object("trace_id", texts.id(), "text", texts.message());
  }

  private void rare(Map<String, Object> document) {
    switch (draw.below(16)) {
      case 0 -> document.put("flat", object("k", texts.id(), "deep", object("er", texts.word())));
      case 1 -> document.put("some_msg", texts.message());
      case 2 -> document.put("dynamic_id", texts.id());
      case 3 -> document.put("ip", draw.any("10.0.0." + draw.below(9), "::1", "2001:db8::ff"));
      case 4 -> document.put("stored", object("match_phrase", object("message", texts.cut(2))));
      case 5 -> document.put("wild", texts.cut(3));
      case 6 -> document.put("nanos", "2026-11-25T00:00:00.12345678" + draw.below(9) + "Z");
      case 7, 8 -> document.put("ratio", draw.any(0.1, 1e300, -0.0, 7, "2.50"));
      case 9 -> document.put("ok", draw.any(true, "false", ""));
      case 10 ->
          document.put("message", draw.any(42, 1.50, true, object("text", "an object 1"), 1e20));
      case 11 ->
          document.put(
              "trace_id", draw.any(42, true, object("a", 1), "x".repeat(immense ? 40_000 : 400)));
      case 13 ->
          document.put(
              draw.any("message", "message", "trace_id", "body"),
              new RawValue(
                  draw.any(
                      "1.50",
                      "1e3",
                      "-0",
                      "-0.0",
                      "1E+2",
                      "12345678901234567890123",
                      "0.10",
                      "\"\\u0041bc \\/ 7\"",
                      "[ 1.50 , [\"x 1\"] ]",
                      "{ }",
                      "[[], null]",
                      "1e400")));
      case 14 -> {
        Object message =
            document.remove("message"); // as the last of the keys, with an escape in it
        document.put("mess\u0000age", 1);
        document.put("message", message == null ? "late 1" : message);
      }
      case 12 -> document.put("extra", object("a.b", 1, "é", List.of(List.of("x"), Map.of())));
      default -> document.put("message", draw.any(List.of(), values("nested 1"), object()));
    }
  }

  private Object values(String first) {
    List<Object> values = new ArrayList<>(Arrays.asList(first, null, texts.message()));
    if (draw.once(3)) {
      values.add(List.of("inner list 7", texts.word()));
    }
    if (draw.once(3)) {
      values.add(7);
    }
    return values;
  }
}
