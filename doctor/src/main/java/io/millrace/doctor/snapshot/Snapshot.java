package io.millrace.doctor.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was read of one cluster: the answers, why some are missing, and the nodes and indices in
 * them. Immutable, so that a check sees the same in a test, in a bundle and on the cluster.
 */
public final class Snapshot {
  private final Map<Probe, JsonNode> first;
  private final Map<Probe, JsonNode> answers;
  private final Map<Probe, String> missing;
  private final Instant taken;
  private final Given given;
  private final Product product;
  private final List<Node> nodes;
  private final List<Shard> shards;
  private final List<Index> indices;

  /**
   * @param first first answers of {@link Probe#STATS} and {@link Probe#INDEX_STATS}
   * @param answers last answers
   * @param missing why a probe has no answer, in words for a user
   * @param taken when the last answer came
   */
  public Snapshot(
      Map<Probe, JsonNode> first,
      Map<Probe, JsonNode> answers,
      Map<Probe, String> missing,
      Instant taken,
      Given given) {
    this.first = Map.copyOf(first);
    this.answers = Map.copyOf(answers);
    this.missing = Map.copyOf(missing);
    this.taken = taken;
    this.given = given;
    this.product = Product.of(get(Probe.ROOT));
    this.nodes = readNodes();
    this.shards = readShards();
    this.indices = readIndices();
  }

  private List<Node> readNodes() {
    Set<String> ids = new LinkedHashSet<>();
    get(Probe.NODES).path("nodes").fieldNames().forEachRemaining(ids::add);
    get(Probe.STATS).path("nodes").fieldNames().forEachRemaining(ids::add);
    List<Node> found = new ArrayList<>();
    for (String id : ids) {
      JsonNode info = get(Probe.NODES).path("nodes").path(id);
      JsonNode stats = get(Probe.STATS).path("nodes").path(id);
      String name = info.path("name").asText(stats.path("name").asText(id));
      found.add(new Node(id, name, info, first(Probe.STATS).path("nodes").path(id), stats));
    }
    found.sort(Comparator.comparing(Node::name));
    return List.copyOf(found);
  }

  private List<Shard> readShards() {
    return Shards.read(
        get(Probe.SHARDS),
        get(Probe.SHARD_SIZES),
        get(Probe.INDEX_STATS),
        get(Probe.INDEX_SETTINGS));
  }

  private List<Index> readIndices() {
    Map<String, List<Shard>> copies = new HashMap<>();
    shards.forEach(s -> copies.computeIfAbsent(s.index(), name -> new ArrayList<>()).add(s));
    List<Index> found = new ArrayList<>();
    get(Probe.INDEX_SETTINGS)
        .properties()
        .forEach(entry -> {
          String name = entry.getKey();
          Map<String, String> settings = new TreeMap<>();
          entry
              .getValue()
              .path("settings")
              .properties()
              .forEach(s -> settings.put(s.getKey(), s.getValue().asText()));
          found.add(
              new Index(
                  name,
                  settings,
                  first(Probe.INDEX_STATS).path("indices").path(name),
                  get(Probe.INDEX_STATS).path("indices").path(name),
                  get(Probe.MAPPINGS).path(name).path("mappings"),
                  List.copyOf(copies.getOrDefault(name, List.of()))));
        });
    found.sort(Comparator.comparing(Index::name));
    return List.copyOf(found);
  }

  /** The last answer; a missing node where there is none. */
  public JsonNode get(Probe probe) {
    JsonNode answer = answers.get(probe);
    return answer == null ? MissingNode.getInstance() : answer;
  }

  /** The first answer of a probe that is asked twice. */
  public JsonNode first(Probe probe) {
    JsonNode answer = first.get(probe);
    return answer == null ? MissingNode.getInstance() : answer;
  }

  /** Why a probe has no answer; null when it has one. */
  public @Nullable String missing(Probe probe) {
    return missing.get(probe);
  }

  /** When the last answer came. */
  public Instant taken() {
    return taken;
  }

  public Given given() {
    return given;
  }

  public Product product() {
    return product;
  }

  /** By name. */
  public List<Node> nodes() {
    return nodes;
  }

  /** Nodes that hold shards, by name. */
  public List<Node> dataNodes() {
    return nodes.stream().filter(Node::data).toList();
  }

  /** Open indices, by name. */
  public List<Index> indices() {
    return indices;
  }

  /** Open indices of users: those of the server and its plugins are not theirs to tune. */
  public List<Index> userIndices() {
    return indices.stream().filter(index -> !index.system()).toList();
  }

  public List<Shard> shards() {
    return shards;
  }

  /** A cluster setting, persistent before transient; null when the default holds. */
  public @Nullable String clusterSetting(String key) {
    JsonNode all = get(Probe.CLUSTER_SETTINGS);
    JsonNode set = all.path("transient").path(key);
    JsonNode value = set.isMissingNode() ? all.path("persistent").path(key) : set;
    return value.isMissingNode() || value.isNull() ? null : value.asText();
  }

  /** Milliseconds between first and last answer, the longest of any node; 0 for one answer. */
  public long windowMillis() {
    return nodes.stream().mapToLong(Node::windowMillis).max().orElse(0);
  }

  /** The same with what a user gives beside the cluster. */
  public Snapshot with(Given other) {
    return new Snapshot(first, answers, missing, taken, other);
  }

  /** The same with other answers: how tests plant faults, and how names are hidden. */
  public Snapshot with(Map<Probe, JsonNode> firsts, Map<Probe, JsonNode> lasts) {
    return new Snapshot(firsts, lasts, missing, taken, given);
  }

  Map<Probe, JsonNode> firsts() {
    return first;
  }

  Map<Probe, JsonNode> answers() {
    return answers;
  }

  Map<Probe, String> missing() {
    return missing;
  }
}
