package io.millrace.write.fastengine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Mappings with every covered type and parameter, and some of what is not covered. */
final class RandomMapping {
  private static final String[] TYPES = {
    "keyword",
    "text",
    "date",
    "integer",
    "long",
    "short",
    "byte",
    "float",
    "double",
    "boolean",
    "ip",
    "log_text",
    "binary",
    "match_only_text",
    "half_float",
    "date_nanos",
    "unsigned_long",
    "geo_point",
    "wildcard",
    "integer_range"
  };

  /** So many types at the front are covered. */
  private static final int COVERED = 16;

  /** One leaf: its path from the root and its type. */
  record Leaf(List<String> path, String type) {}

  private final Random random;
  final List<Leaf> leaves = new ArrayList<>();
  final Map<String, Object> mapping = new LinkedHashMap<>();

  RandomMapping(Random random) {
    this.random = random;
    Map<String, Object> properties = properties(List.of(), 0);
    mapping.put("properties", properties);
    if (random.nextInt(4) == 0) {
      mapping.put("dynamic", pick("true", "false", "strict"));
    }
    if (random.nextInt(15) == 0) {
      mapping.put("_data_stream_timestamp", Map.of("enabled", true));
      if (!properties.containsKey("@timestamp")) {
        properties.put("@timestamp", Map.of("type", "date"));
        leaves.add(new Leaf(List.of("@timestamp"), "date"));
      }
    }
  }

  private Map<String, Object> properties(List<String> path, int depth) {
    Map<String, Object> properties = new LinkedHashMap<>();
    int count = 1 + random.nextInt(depth == 0 ? 10 : 4);
    for (int i = 0; i < count; i++) {
      String name = depth == 0 && random.nextInt(12) == 0 ? "@timestamp" : name(i);
      List<String> here = new ArrayList<>(path);
      here.add(name);
      int kind = random.nextInt(10);
      if (name.equals("@timestamp")) {
        properties.put(name, leaf(here, "date"));
      } else if (depth < 3 && kind == 0) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("properties", properties(here, depth + 1));
        if (random.nextInt(4) == 0) {
          object.put("type", "nested");
        } else if (random.nextInt(6) == 0) {
          object.put("enabled", false);
        } else if (random.nextInt(4) == 0) {
          object.put("dynamic", pick("true", "false", "strict"));
        }
        properties.put(name, object);
      } else {
        properties.put(
            name,
            leaf(here, TYPES[random.nextInt(random.nextInt(5) == 0 ? TYPES.length : COVERED)]));
      }
    }
    return properties;
  }

  private String name(int i) {
    return switch (random.nextInt(8)) {
      case 0 -> "käse" + i;
      case 1 -> "field with space" + i;
      case 2 -> "status_code_" + i;
      default -> "f" + i;
    };
  }

  private Map<String, Object> leaf(List<String> path, String type) {
    leaves.add(new Leaf(List.copyOf(path), type));
    Map<String, Object> field = parameters(type);
    if (random.nextInt(3) == 0 && List.of("text", "keyword", "log_text").contains(type)) {
      Map<String, Object> multi = new LinkedHashMap<>();
      multi.put("keyword", parameters("keyword"));
      if (random.nextInt(3) == 0) {
        multi.put("other", parameters(TYPES[random.nextInt(COVERED)]));
      }
      field.put("fields", multi);
    }
    if (random.nextInt(25) == 0 && !type.equals("@timestamp")) {
      field.put("copy_to", "copied");
    }
    return field;
  }

  private Map<String, Object> parameters(String type) {
    Map<String, Object> field = new LinkedHashMap<>();
    field.put("type", type);
    boolean covered = List.of(TYPES).indexOf(type) < COVERED;
    if (!covered) {
      return field;
    }
    sometimes(field, "store", true);
    if (type.equals("log_text")) {
      return field;
    }
    if (type.equals("binary")) {
      sometimes(field, "doc_values", true);
      return field;
    }
    if (type.equals("match_only_text")) {
      sometimes(field, "analyzer", pick("whitespace", "keyword", "simple"));
      return field;
    }
    sometimes(field, "index", false);
    if (!type.equals("text")) {
      sometimes(field, "doc_values", false);
    }
    switch (type) {
      case "keyword" -> {
        if (random.nextInt(2) == 0) {
          field.put("ignore_above", random.nextInt(10));
        }
        sometimes(field, "null_value", "none");
        sometimes(field, "norms", true);
        sometimes(field, "index_options", "freqs");
        sometimes(field, "eager_global_ordinals", true);
      }
      case "text" -> {
        sometimes(field, "norms", false);
        sometimes(field, "analyzer", pick("whitespace", "keyword", "simple"));
        if (field.get("index") == null) {
          sometimes(field, "index_options", pick("docs", "freqs", "offsets"));
          if (!field.containsKey("index_options")) {
            sometimes(field, "position_increment_gap", 7);
            sometimes(field, "index_phrases", true);
            sometimes(field, "term_vector", pick("yes", "with_positions_offsets"));
          }
        }
      }
      case "date", "date_nanos" -> {
        sometimes(
            field,
            "format",
            pick(
                "epoch_millis",
                "strict_date_optional_time",
                "yyyy-MM-dd",
                "basic_date",
                "epoch_second"));
        if (!field.containsKey("format")) {
          sometimes(field, "null_value", "2001-01-01");
        }
        sometimes(field, "ignore_malformed", true);
        sometimes(field, "skip_list", random.nextBoolean());
      }
      case "boolean" -> sometimes(field, "null_value", true);
      case "ip" -> {
        sometimes(field, "null_value", "::1");
        sometimes(field, "ignore_malformed", true);
      }
      default -> {
        sometimes(field, "null_value", 7);
        sometimes(field, "ignore_malformed", true);
        sometimes(field, "coerce", false);
        sometimes(field, "skip_list", true);
      }
    }
    return field;
  }

  private void sometimes(Map<String, Object> field, String parameter, Object value) {
    if (random.nextInt(8) == 0) {
      field.put(parameter, value);
    }
  }

  private String pick(String... values) {
    return values[random.nextInt(values.length)];
  }
}
