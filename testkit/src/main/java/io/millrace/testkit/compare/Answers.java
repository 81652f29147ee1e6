package io.millrace.testkit.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes out of an answer what may differ between two clusters that behave alike: the time it took
 * and what the server drew at random.
 *
 * <p>Everything else has to be equal: fields, their values and the order of arrays. The order of an
 * object's fields does not count, as JSON says.
 */
public final class Answers {
  private final Set<String> forgotten =
      new HashSet<>(Set.of("took", "took_ms", "ingest_took", "_scroll_id", "pit_id", "uuid"));
  private boolean ids = true;

  /** Also ignores a field of this name wherever it stands. */
  public Answers forget(String field) {
    forgotten.add(field);
    return this;
  }

  /**
   * Also ignores {@code _id}, {@code _seq_no}, {@code _primary_term} and {@code _version}, for
   * documents whose ids the server made.
   */
  public Answers forgetIds() {
    ids = false;
    return this;
  }

  /**
   * The answer without what may differ.
   *
   * @param index a name that occurs as a value, for two indices of different names
   * @param as what it is called instead
   */
  public JsonNode normal(JsonNode answer, String index, String as) {
    if (answer.isObject()) {
      ObjectNode result = JsonNodeFactory.instance.objectNode();
      List<String> names = new ArrayList<>();
      answer.fieldNames().forEachRemaining(names::add);
      names.sort(null);
      for (String name : names) {
        if (!forgotten.contains(name) && (ids || !isId(name))) {
          result.set(name.equals(index) ? as : name, normal(answer.get(name), index, as));
        }
      }
      return result;
    }
    if (answer.isArray()) {
      ArrayNode result = JsonNodeFactory.instance.arrayNode();
      answer.forEach(element -> result.add(normal(element, index, as)));
      return result;
    }
    if (answer.isTextual() && answer.asText().equals(index)) {
      return TextNode.valueOf(as);
    }
    return answer;
  }

  /** The answer without what may differ. */
  public JsonNode normal(JsonNode answer) {
    return normal(answer, "", "");
  }

  private static boolean isId(String name) {
    return name.equals("_id")
        || name.equals("_seq_no")
        || name.equals("_primary_term")
        || name.equals("_version");
  }
}
