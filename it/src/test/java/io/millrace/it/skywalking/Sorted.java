package io.millrace.it.skywalking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** JSON whose lists stand in one order. */
final class Sorted {
  private Sorted() {}

  /** The same with every list sorted by the text of its elements. */
  static JsonNode of(JsonNode value) {
    if (value.isArray()) {
      List<JsonNode> elements = new ArrayList<>();
      value.forEach(element -> elements.add(of(element)));
      elements.sort(Comparator.comparing(JsonNode::toString));
      ArrayNode sorted = JsonNodeFactory.instance.arrayNode();
      return sorted.addAll(elements);
    }
    if (value.isObject()) {
      ObjectNode sorted = JsonNodeFactory.instance.objectNode();
      value.fields().forEachRemaining(field -> sorted.set(field.getKey(), of(field.getValue())));
      return sorted;
    }
    return value;
  }
}
