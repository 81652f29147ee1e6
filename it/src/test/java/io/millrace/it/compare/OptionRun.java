package io.millrace.it.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.millrace.testkit.compare.Answers;
import io.millrace.testkit.compare.RandomOperations;
import io.millrace.testkit.compare.RandomOperations.Operation;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plays one series of operations under any set of options and compares the answers with stock's.
 */
final class OptionRun {
  /** A node that refuses so many sets in a row refuses what it should not. */
  private static final int REFUSALS = 60;

  private final JsonHttp http;
  private final int shards;
  private final List<Operation> operations;
  private final Answers answers;
  private final List<JsonAnswer> expected = new ArrayList<>();

  /** A node does not take a set of options; the message holds its words. */
  private static final class RefusedOptions extends Exception {
    private static final long serialVersionUID = 1;

    RefusedOptions(JsonAnswer answer) {
      super(answer.at("/error/reason").asText());
    }
  }

  /**
   * The run of a series whose answers are asked from stock, now.
   *
   * @param stock a node of stock
   * @param http the node under test
   */
  OptionRun(
      JsonHttp stock, JsonHttp http, int shards, List<Operation> operations, Answers answers) {
    this.http = http;
    this.shards = shards;
    this.operations = List.copyOf(operations);
    this.answers = answers;
    stock.put("/logs", RandomOperations.creation(shards, "")).ok();
    operations.forEach(operation -> expected.add(send(stock, operation)));
    expected.add(stock.get("/logs/_mapping").ok());
    stock.delete("/logs").ok();
  }

  /** How many of stock's answers have each status. */
  Map<Integer, Integer> statuses() {
    Map<Integer, Integer> statuses = new TreeMap<>();
    expected.forEach(answer -> statuses.merge(answer.status(), 1, Integer::sum));
    return statuses;
  }

  /**
   * Plays the series under the next set that the node takes. Options that exclude or need each
   * other are known by the node's refusal: another set is drawn, and a line says why.
   *
   * @param what which set it is, for messages
   * @return the set
   * @throws AssertionError when an answer is not stock's, with the fewest options that it takes
   */
  OptionSet same(String what, Supplier<OptionSet> draw) {
    for (int refused = 0; refused < REFUSALS; refused++) {
      OptionSet options = draw.get();
      try {
        String difference = play(options);
        if (difference != null) {
          throw new AssertionError(what + "\n" + fewest(options, difference));
        }
        return options;
      } catch (RefusedOptions e) {
        System.out.println(what + ": drawn again, the node refuses: " + e.getMessage());
      }
    }
    throw new AssertionError(what + ": the node refused " + REFUSALS + " sets of options in a row");
  }

  /** Leaves out every option without which the answers still differ. */
  private String fewest(OptionSet options, String difference) {
    OptionSet fewest = options;
    String shown = difference;
    for (String option : options.names()) {
      OptionSet less = fewest.without(option);
      try {
        String still = play(less);
        if (still != null) {
          fewest = less;
          shown = still;
        }
      } catch (RefusedOptions e) {
        // what remains needs this option
      }
    }
    return "all options:\n" + options + "\nthe fewest that differ:\n" + fewest + "\n" + shown;
  }

  /** Plays the whole series; null when every answer is stock's, else the first that is not. */
  private @Nullable String play(OptionSet options) throws RefusedOptions {
    try {
      cluster(options.cluster());
      taken(http.put("/logs", RandomOperations.creation(shards, options.creation())));
      for (int i = 0; i < operations.size(); i++) {
        if (i == operations.size() / 2) {
          cluster(options.laterCluster());
          if (!options.laterIndex().isEmpty()) {
            taken(http.put("/logs/_settings", OptionSet.json(options.laterIndex())));
          }
        }
        Operation operation = operations.get(i);
        JsonAnswer answer = send(http, operation);
        if (!alike(expected.get(i), answer)) {
          return "operation " + i + ": " + operation + "\n" + expected.get(i) + "\n" + answer;
        }
      }
      JsonAnswer mapping = http.get("/logs/_mapping").ok();
      return alike(expected.getLast(), mapping) ? null : expected.getLast() + "\n" + mapping;
    } finally {
      http.delete("/logs?ignore_unavailable=true").ok();
      Map<String, JsonNode> back = new TreeMap<>(options.cluster());
      back.putAll(options.laterCluster());
      back.replaceAll((key, value) -> NullNode.getInstance());
      http.put("/_cluster/settings", "{\"persistent\":" + OptionSet.json(back) + "}").ok();
    }
  }

  private void cluster(Map<String, JsonNode> settings) throws RefusedOptions {
    if (!settings.isEmpty()) {
      String json = OptionSet.json(settings);
      taken(http.put("/_cluster/settings", "{\"persistent\":" + json + "}"));
    }
  }

  private static void taken(JsonAnswer answer) throws RefusedOptions {
    if (answer.status() == 400) {
      throw new RefusedOptions(answer);
    }
    answer.ok();
  }

  private static JsonAnswer send(JsonHttp http, Operation operation) {
    return http.send(operation.method(), operation.path(), operation.body());
  }

  private boolean alike(JsonAnswer expected, JsonAnswer actual) {
    return expected.status() == actual.status()
        && answers.normal(expected.json()).equals(answers.normal(actual.json()));
  }
}
