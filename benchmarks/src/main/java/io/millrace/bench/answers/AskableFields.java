package io.millrace.bench.answers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The fields of a mapping by what can be asked of them; names are in the mapping's order. */
record AskableFields(
    List<String> text, List<String> keyword, List<String> number, List<String> date) {

  static AskableFields of(Map<String, Object> mapping) {
    AskableFields fields =
        new AskableFields(
            new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    fields.collect("", mapping);
    return fields;
  }

  private void collect(String prefix, Map<?, ?> object) {
    if (!(object.get("properties") instanceof Map<?, ?> properties)) {
      return;
    }
    for (Map.Entry<?, ?> entry : properties.entrySet()) {
      String name = prefix + entry.getKey();
      if (entry.getValue() instanceof Map<?, ?> field) {
        collect(name + ".", field);
        add(name, String.valueOf(field.get("type")));
      }
    }
  }

  private void add(String name, String type) {
    switch (type) {
      case "text", "match_only_text", "log_text" -> text.add(name);
      case "keyword" -> keyword.add(name);
      case "long", "integer", "short", "byte", "float", "double" -> number.add(name);
      case "date" -> date.add(name);
      default -> {} // nothing is asked of other types
    }
  }
}
