package io.millrace.doctor.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Replaces names by numbered ones, the same everywhere: clusters, nodes, hosts, addresses, indices
 * (dates in their names stay, since checks read them), templates and fields of mappings. Texts of
 * requests and stack traces are dropped. Setting names, numbers and versions stay.
 */
public final class Anonymiser {
  private static final Pattern ADDRESS =
      Pattern.compile(
          "\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d+)?|\\[?[0-9a-fA-F]*:[0-9a-fA-F:]+\\]?(?::\\d+)?");
  private static final Set<String> HIDDEN =
      Set.of(
          "description",
          "publish_address",
          "bound_address",
          "path.home",
          "path.logs",
          "path.data",
          "path",
          "mount",
          "uuid",
          "cluster_uuid",
          "index.uuid",
          "index.provided_name",
          "input_arguments",
          "transport_address",
          "ephemeral_id");

  private final Map<String, String> names = new HashMap<>();

  private Anonymiser() {}

  public static Snapshot of(Snapshot snapshot) {
    return new Anonymiser().hide(snapshot);
  }

  private Snapshot hide(Snapshot snapshot) {
    int number = 1;
    names.put(snapshot.get(Probe.ROOT).path("cluster_name").asText("cluster"), "cluster");
    for (Node node : snapshot.nodes()) {
      names.put(node.name(), "node-" + number);
      names.put(node.id(), "id-" + number);
      for (String where : List.of("host", "ip")) {
        names.putIfAbsent(node.text(where), "host-" + number);
      }
      number++;
    }
    Map<String, String> families = new TreeMap<>();
    for (Index index : snapshot.indices()) {
      String family =
          families.computeIfAbsent(
              index.family(), f -> (index.logs() ? "logs-" : "index-") + (families.size() + 1));
      String rest = index.name().replaceAll("^.*?(?=20\\d\\d|-\\d{6}$)", "");
      boolean tail = !rest.equals(index.name()) && (index.dated() || index.rolled());
      String hidden = tail ? family + (rest.startsWith("-") ? "" : "-") + rest : family;
      names.put(index.name(), names.containsValue(hidden) ? hidden + "-x" + names.size() : hidden);
    }
    templates(snapshot);
    snapshot.get(Probe.MAPPINGS).forEach(mapping -> fields(mapping));
    names.remove("");
    return snapshot.with(all(snapshot.firsts()), all(snapshot.answers()));
  }

  private void templates(Snapshot snapshot) {
    snapshot
        .get(Probe.TEMPLATES)
        .fieldNames()
        .forEachRemaining(name -> names.putIfAbsent(name, "template-" + names.size()));
    snapshot
        .get(Probe.INDEX_TEMPLATES)
        .path("index_templates")
        .forEach(template ->
            names.putIfAbsent(template.path("name").asText(), "template-" + names.size()));
    snapshot
        .get(Probe.REPOSITORIES)
        .fieldNames()
        .forEachRemaining(name -> names.putIfAbsent(name, "repository-" + names.size()));
  }

  private void fields(JsonNode mapping) {
    for (String part : List.of("properties", "fields")) {
      mapping
          .path(part)
          .fieldNames()
          .forEachRemaining(name ->
              names.putIfAbsent(name, name.startsWith("@") ? name : "field-" + names.size()));
    }
    mapping.forEach(child -> {
      if (child.isObject()) {
        fields(child);
      }
    });
  }

  private Map<Probe, JsonNode> all(Map<Probe, JsonNode> answers) {
    Map<Probe, JsonNode> hidden = new EnumMap<>(Probe.class);
    answers.forEach((probe, answer) -> {
      if (probe != Probe.HOT_THREADS) {
        hidden.put(probe, hide("", answer));
      }
    });
    return hidden;
  }

  private JsonNode hide(String key, JsonNode node) {
    if (node.isObject()) {
      ObjectNode copy = Json.MAPPER.createObjectNode();
      node.properties()
          .forEach(entry -> copy.set(name(entry.getKey()), hide(entry.getKey(), entry.getValue())));
      return copy;
    }
    if (node.isArray()) {
      ArrayNode copy = Json.MAPPER.createArrayNode();
      node.forEach(
          child -> copy.add(key.equals("input_arguments") ? flag(child) : hide(key, child)));
      return copy;
    }
    return node.isTextual() ? TextNode.valueOf(text(key, node.asText())) : node;
  }

  /** Flags of the JVM stay, since checks read them, but for those that name files or properties. */
  private static JsonNode flag(JsonNode argument) {
    boolean known = argument.asText().matches("-X[\\w:+=.%-]*|-Xm[snx]\\w+|-server");
    return known ? argument : TextNode.valueOf("-hidden");
  }

  private String name(String key) {
    String known = names.get(key);
    return known == null ? key : known;
  }

  private String text(String key, String value) {
    if (HIDDEN.contains(key)) {
      return value.isEmpty() ? value : "hidden";
    }
    String known = names.get(value);
    if (known != null) {
      return known;
    }
    if (key.equals("index_patterns")
        || key.startsWith("node.attr")
        || key.startsWith("discovery")
        || key.startsWith("cluster.initial")
        || key.startsWith("network")
        || key.startsWith("http.host")
        || key.startsWith("transport.host")
        || key.equals("node.name")
        || key.equals("cluster.name")) {
      return value.matches("[*.\\-\\d_]+|true|false") ? value : "hidden";
    }
    return ADDRESS.matcher(value).matches() ? "host" : value;
  }
}
