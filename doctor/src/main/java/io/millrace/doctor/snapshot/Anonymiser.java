package io.millrace.doctor.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Replaces names by numbered ones, the same everywhere: clusters, nodes, hosts, addresses, indices
 * (dates in their names stay, since checks read them), templates, repositories and fields. Texts of
 * requests, of mappings, of settings and of refusals are dropped where no check reads them. Names
 * of settings, numbers and versions stay.
 *
 * <p>A name is replaced only where the server writes a name: a field that is called {@code nodes}
 * must not rename the answer's own key.
 */
public final class Anonymiser {
  private static final String GONE = "hidden";
  private static final Pattern ADDRESS =
      Pattern.compile(
          "\\d{1,3}(?:\\.\\d{1,3}){3}(?::\\d+)?|\\[?[0-9a-fA-F]*:[0-9a-fA-F:]+\\]?(?::\\d+)?");

  /** A number with its unit, a switch, or a range of copies. */
  private static final Pattern PLAIN =
      Pattern.compile(
          "-?\\d+(?:\\.\\d+)?(?:%|[a-zA-Z]{0,2})|\\d-(?:\\d+|all)|true|false|[*.\\-_]*");

  /** Settings whose values are words of the server. */
  private static final Pattern WORDED =
      Pattern.compile(
          "index\\.(codec|store\\.type|translog\\.durability|replication\\.type|refresh_interval|millrace\\.\\w+)"
              + "|cluster\\.routing\\.(allocation|rebalance)\\.enable|node\\.roles|discovery\\.type|bootstrap\\.memory_lock");

  private static final Set<String> MAPPED = Set.of("type", "dynamic", "index_options", "enabled");
  private static final Set<String> HIDDEN =
      Set.of(
          "description",
          "publish_address",
          "bound_address",
          "path",
          "mount",
          "uuid",
          "cluster_uuid",
          "input_arguments",
          "transport_address",
          "control_group",
          "ephemeral_id");

  /** Which client asked for what, with searches and names; in bundles of other origin. */
  private static final Set<String> DROPPED = Set.of("clients", "routes");

  /** Answers whose own keys are names. */
  private static final Set<Probe> NAMED =
      Set.of(
          Probe.INDEX_SETTINGS,
          Probe.MAPPINGS,
          Probe.TEMPLATES,
          Probe.REPOSITORIES,
          Probe.FIELD_USAGE);

  /** What a refusal says in the doctor's own words; the server's may name users and indices. */
  private static final Pattern OWN_WORDS =
      Pattern.compile("^(?:no permission: )?HTTP \\d+(?: with something else than JSON)?");

  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> fields = new HashMap<>();
  private final Set<String> taken = new HashSet<>();

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
    indices(snapshot);
    templates(snapshot);
    snapshot.get(Probe.MAPPINGS).forEach(this::fields);
    names.remove("");
    Map<Probe, String> missing = new EnumMap<>(Probe.class);
    snapshot
        .missing()
        .forEach((probe, why) -> {
          Matcher own = OWN_WORDS.matcher(why);
          missing.put(probe, own.find() ? own.group() : why);
        });
    return new Snapshot(
        all(snapshot.firsts()),
        all(snapshot.answers()),
        missing,
        snapshot.taken(),
        snapshot.given().anonymised());
  }

  private void indices(Snapshot snapshot) {
    Map<String, String> families = new TreeMap<>();
    for (Index index : snapshot.indices()) {
      String family =
          families.computeIfAbsent(
              index.family(), f -> (index.logs() ? "logs-" : "index-") + (families.size() + 1));
      String rest = index.name().replaceAll("^.*?(?=20\\d\\d|-\\d{6}$)", "");
      boolean tail = !rest.equals(index.name()) && (index.dated() || index.rolled());
      String dot = index.system() ? "." : "";
      String hidden = dot + (tail ? family + (rest.startsWith("-") ? "" : "-") + rest : family);
      hide(index.name(), hidden);
    }
    // closed ones have shards, but no settings in the answer
    snapshot
        .shards()
        .forEach(shard -> {
          if (!names.containsKey(shard.index())) {
            hide(shard.index(), shard.index().startsWith(".") ? ".other" : "other");
          }
        });
  }

  private void hide(String name, String hidden) {
    names.put(name, taken.add(hidden) ? hidden : hidden + "-x" + names.size());
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
              fields.putIfAbsent(name, name.startsWith("@") ? name : "field-" + fields.size()));
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
        hidden.put(probe, hide(probe, NAMED.contains(probe) ? Keys.NAMES : Keys.OWN, "", answer));
      }
    });
    return hidden;
  }

  /** What the keys of an object are. */
  private enum Keys {
    OWN,
    NAMES,
    TASKS,
    FIELDS
  }

  private JsonNode hide(Probe probe, Keys keys, String key, JsonNode node) {
    if (node.isObject()) {
      ObjectNode copy = Json.MAPPER.createObjectNode();
      node.properties().stream()
          .filter(entry ->
              probe != Probe.STATS || keys != Keys.OWN || !DROPPED.contains(entry.getKey()))
          .forEach(entry ->
              copy.set(
                  name(keys, entry.getKey()),
                  hide(
                      probe,
                      keys == Keys.OWN ? keysOf(probe, entry.getKey()) : Keys.OWN,
                      entry.getKey(),
                      entry.getValue())));
      return copy;
    }
    if (node.isArray()) {
      ArrayNode copy = Json.MAPPER.createArrayNode();
      node.forEach(child ->
          copy.add(
              key.equals("input_arguments") ? flag(child) : hide(probe, Keys.OWN, key, child)));
      return copy;
    }
    return node.isTextual() ? TextNode.valueOf(text(probe, key, node.asText())) : node;
  }

  private static Keys keysOf(Probe probe, String key) {
    if (probe == Probe.MAPPINGS || probe == Probe.FIELD_USAGE) {
      return key.equals("properties") || key.equals("fields") || key.equals("runtime")
          ? Keys.FIELDS
          : Keys.OWN;
    }
    return switch (key) {
      case "nodes", "indices" -> Keys.NAMES;
      case "tasks" -> Keys.TASKS;
      default -> Keys.OWN;
    };
  }

  private String name(Keys keys, String key) {
    return switch (keys) {
      case OWN -> key.replaceFirst("^cluster\\.remote\\.[^.]+\\.", "cluster.remote.hidden.");
      case NAMES -> names.getOrDefault(key, key);
      case TASKS -> task(key);
      case FIELDS ->
          Arrays.stream(key.split("\\."))
              .map(part -> fields.getOrDefault(part, GONE))
              .collect(Collectors.joining("."));
    };
  }

  /** The id of a node and a number. */
  private String task(String id) {
    int colon = id.lastIndexOf(':');
    return colon < 0
        ? GONE
        : names.getOrDefault(id.substring(0, colon), GONE) + id.substring(colon);
  }

  /** Flags of the JVM stay, since checks read them, but for those that name files or properties. */
  private static JsonNode flag(JsonNode argument) {
    boolean known = argument.asText().matches("-X[\\w:+=.%-]*|-Xm[snx]\\w+|-server");
    return known ? argument : TextNode.valueOf("-hidden");
  }

  private String text(Probe probe, String key, String value) {
    String known = names.get(value);
    if (known != null) {
      return known;
    }
    if (HIDDEN.contains(key)) {
      return value.isEmpty() ? value : GONE;
    }
    if (key.equals("parent_task_id")) {
      return task(value);
    }
    if (key.equals("source")) { // of a pending task: its first word says what it is
      return value.replaceFirst("[\\s\\[(].*", "");
    }
    boolean setting = key.contains(".") && !WORDED.matcher(key).matches();
    boolean ofUsers =
        setting
            || key.equals("index_patterns")
            || key.equals("composed_of")
            || probe == Probe.MAPPINGS && !MAPPED.contains(key);
    if (ofUsers) {
      return PLAIN.matcher(value).matches() ? value : GONE;
    }
    return ADDRESS.matcher(value).matches() ? "host" : value;
  }
}
