package io.millrace.it.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes a JSON value smaller while it still does something: halves of lists and single members are
 * left out, largest parts first (after Zeller, Hildebrandt, "Simplifying and Isolating
 * Failure-Inducing Input", 2002).
 */
final class Shrink {
  private final Predicate<JsonNode> stillDoes;
  private int triesLeft;

  private Shrink(Predicate<JsonNode> stillDoes, int tries) {
    this.stillDoes = stillDoes;
    this.triesLeft = tries;
  }

  /**
   * The smallest value that was found.
   *
   * @param stillDoes asked for no more than so many smaller values
   */
  static JsonNode of(JsonNode value, int tries, Predicate<JsonNode> stillDoes) {
    Shrink shrink = new Shrink(stillDoes, tries);
    JsonNode smallest = value;
    while (true) {
      JsonNode smaller = shrink.once(smallest);
      if (smaller == null) {
        return smallest;
      }
      smallest = smaller;
    }
  }

  private @Nullable JsonNode once(JsonNode value) {
    for (JsonNode candidate : smaller(value)) {
      if (triesLeft-- <= 0) {
        return null;
      }
      if (stillDoes.test(candidate)) {
        return candidate;
      }
    }
    return null;
  }

  /** Copies with something left out, those with most left out first. */
  private static List<JsonNode> smaller(JsonNode value) {
    List<JsonNode> all = new ArrayList<>();
    if (value instanceof ArrayNode list) {
      for (int half = list.size() / 2; half > 0 && list.size() > 1; half = half / 2) {
        for (int from = 0; from < list.size(); from += half) {
          ArrayNode rest = list.deepCopy();
          for (int i = Math.min(from + half, list.size()) - 1; i >= from; i--) {
            rest.remove(i);
          }
          all.add(rest);
        }
      }
      for (int i = 0; i < Math.min(list.size(), 3); i++) {
        for (JsonNode child : smaller(list.get(i))) {
          ArrayNode copy = list.deepCopy();
          copy.set(i, child);
          all.add(copy);
        }
      }
    } else if (value instanceof ObjectNode object) {
      object
          .fieldNames()
          .forEachRemaining(name -> {
            ObjectNode rest = object.deepCopy();
            rest.remove(name);
            all.add(rest);
          });
      object
          .properties()
          .forEach(member -> {
            for (JsonNode child : smaller(member.getValue())) {
              ObjectNode copy = object.deepCopy();
              copy.set(member.getKey(), child);
              all.add(copy);
            }
          });
    }
    return all;
  }
}
