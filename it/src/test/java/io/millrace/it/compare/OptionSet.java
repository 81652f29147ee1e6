package io.millrace.it.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One choice among all options. An option that is in none of the maps has its default.
 *
 * @param cluster settings of the cluster, before the index is created
 * @param index settings that the index is created with
 * @param laterCluster settings of the cluster that change at half of the operations
 * @param laterIndex settings of the index that change then
 */
record OptionSet(
    Map<String, JsonNode> cluster,
    Map<String, JsonNode> index,
    Map<String, JsonNode> laterCluster,
    Map<String, JsonNode> laterIndex) {

  /** The settings of the new index, as lines inside an object. */
  String creation() {
    String json = json(index);
    return json.substring(1, json.length() - 1);
  }

  /** Settings as one JSON object. */
  static String json(Map<String, JsonNode> settings) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    new TreeMap<>(settings).forEach(object::set);
    return object.toString();
  }

  /** The options that are named anywhere in the set. */
  List<String> names() {
    TreeSet<String> names = new TreeSet<>();
    Stream.of(cluster, index, laterCluster, laterIndex).map(Map::keySet).forEach(names::addAll);
    return List.copyOf(names);
  }

  /** This set with one option at its default throughout. */
  OptionSet without(String name) {
    return new OptionSet(
        less(cluster, name), less(index, name), less(laterCluster, name), less(laterIndex, name));
  }

  private static Map<String, JsonNode> less(Map<String, JsonNode> settings, String name) {
    Map<String, JsonNode> less = new TreeMap<>(settings);
    less.remove(name);
    return less;
  }

  @Override
  public String toString() {
    return "  cluster "
        + json(cluster)
        + "\n  index "
        + json(index)
        + "\n  later, cluster "
        + json(laterCluster)
        + "\n  later, index "
        + json(laterIndex);
  }
}
