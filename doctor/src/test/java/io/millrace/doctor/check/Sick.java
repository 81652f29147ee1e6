package io.millrace.doctor.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.doctor.snapshot.Given;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A healthy cluster into which a test plants a fault, value by value. */
public final class Sick {
  private final Map<Probe, JsonNode> first = new EnumMap<>(Probe.class);
  private final Map<Probe, JsonNode> last = new EnumMap<>(Probe.class);
  private final Map<Probe, String> missing = new EnumMap<>(Probe.class);
  private Given given = Given.NOTHING;

  private Sick() {
    Snapshot healthy = Recorded.healthy();
    for (Probe probe : Probe.values()) {
      if (!healthy.first(probe).isMissingNode()) {
        first.put(probe, healthy.first(probe).deepCopy());
      }
      if (!healthy.get(probe).isMissingNode()) {
        last.put(probe, healthy.get(probe).deepCopy());
      }
    }
  }

  public static Sick cluster() {
    return new Sick();
  }

  /** A value of {@code GET /_nodes} of the first node; a path with slashes. */
  public Sick info(String path, Object value) {
    return set(last.get(Probe.NODES).path("nodes").path("id1"), path, value);
  }

  /** A value of the last {@code GET /_nodes/stats} of the first node. */
  public Sick stat(String path, Object value) {
    return set(last.get(Probe.STATS).path("nodes").path("id1"), path, value);
  }

  /** The same of both answers. */
  public Sick stats(String path, Object value) {
    set(first.get(Probe.STATS).path("nodes").path("id1"), path, value);
    return stat(path, value);
  }

  /** A persistent setting of the cluster. */
  public Sick clusterSetting(String key, String value) {
    ((ObjectNode) last.get(Probe.CLUSTER_SETTINGS).path("persistent")).put(key, value);
    return this;
  }

  /** A setting of the index of logs that is written to. */
  public Sick logs(String key, Object value) {
    return setting("app-logs-2026.11.20", key, value);
  }

  /** A setting of the other index. */
  public Sick products(String key, Object value) {
    return setting("products", key, value);
  }

  private Sick setting(String index, String key, Object value) {
    ((ObjectNode) last.get(Probe.INDEX_SETTINGS).path(index).path("settings"))
        .put(key, String.valueOf(value));
    return this;
  }

  /** A value of the last {@code _stats} of the index of logs. */
  public Sick logsStat(String path, Object value) {
    return set(
        last.get(Probe.INDEX_STATS).path("indices").path("app-logs-2026.11.20"), path, value);
  }

  /** The mapping of the index of logs. */
  public Sick mapping(String json) {
    return set(last.get(Probe.MAPPINGS).path("app-logs-2026.11.20"), "mappings", tree(json));
  }

  /** The same index once more under another name. */
  public Sick copyOfLogs(String name) {
    for (Map<Probe, JsonNode> answers : List.of(first, last)) {
      JsonNode stats = answers.get(Probe.INDEX_STATS).path("indices");
      ((ObjectNode) stats).set(name, stats.path("app-logs-2026.11.20").deepCopy());
    }
    for (Probe probe : List.of(Probe.INDEX_SETTINGS, Probe.MAPPINGS)) {
      ((ObjectNode) last.get(probe))
          .set(name, last.get(probe).path("app-logs-2026.11.20").deepCopy());
    }
    return this;
  }

  /** A row of {@code _cat/shards}. */
  public Sick shard(
      String index,
      int number,
      String prirep,
      String state,
      long docs,
      long bytes,
      @Nullable String node) {
    ((ArrayNode) last.get(Probe.SHARDS))
        .addObject()
        .put("index", index)
        .put("shard", number)
        .put("prirep", prirep)
        .put("state", state)
        .put("docs", docs)
        .put("store", bytes)
        .put("node", node)
        .put("ur", node == null ? "NODE_LEFT" : null);
    return this;
  }

  /** A whole answer. */
  public Sick answer(Probe probe, String json) {
    last.put(probe, tree(json));
    return this;
  }

  /** No answer. */
  public Sick without(Probe probe) {
    last.remove(probe);
    return this;
  }

  /** Only the first node is left. */
  public Sick alone() {
    for (JsonNode nodes :
        List.of(last.get(Probe.NODES), last.get(Probe.STATS), first.get(Probe.STATS))) {
      ((ObjectNode) nodes.path("nodes")).remove(List.of("id2", "id3"));
    }
    return this;
  }

  /** The first node runs CMS on JDK 8 with a heap of 20 GB, as one field report had it. */
  public Sick cms() {
    info("jvm/gc_collectors", tree("[\"ParNew\",\"ConcurrentMarkSweep\"]"))
        .info("jvm/version", "1.8.0_171");
    info("jvm/mem/heap_init_in_bytes", 20L << 30).info("jvm/mem/heap_max_in_bytes", 20L << 30);
    stats("jvm/mem/pools/young/max_in_bytes", 907_411_456L)
        .stats("jvm/mem/pools/survivor/max_in_bytes", 113_377_280L);
    return stats("jvm/mem/pools/old/max_in_bytes", 20_340_736_000L);
  }

  public Sick given(Given value) {
    given = value;
    return this;
  }

  public Snapshot snapshot() {
    return new Snapshot(first, last, missing, Recorded.healthy().taken(), given);
  }

  /** Many started primaries of one index on a node. */
  public Sick shards(int count, String node) {
    for (int i = 0; i < count; i++) {
      shard("products", i + 10, "p", "STARTED", 5, 1 << 20, node);
    }
    return this;
  }

  /** Old indices without a document. */
  public Sick emptyIndices(int count) {
    for (int i = 0; i < count; i++) {
      copyOfLogs("empty-" + i);
      set(
          last.get(Probe.INDEX_STATS).path("indices").path("empty-" + i),
          "primaries/docs/count",
          0);
    }
    return this;
  }

  /** Dated indices of several applications, of which the first has this size. */
  public Sick families(int count, long bytes) {
    for (int i = 0; i < count; i++) {
      copyOfLogs("family" + i + "x-2026.11.20");
    }
    return set(
        last.get(Probe.INDEX_STATS).path("indices").path("family0x-2026.11.20"),
        "primaries/store/size_in_bytes",
        bytes);
  }

  /** The same index under another name only. */
  public Sick rename(String from, String to) {
    copyOfLogs(to);
    for (JsonNode all :
        List.of(
            first.get(Probe.INDEX_STATS).path("indices"),
            last.get(Probe.INDEX_STATS).path("indices"),
            last.get(Probe.INDEX_SETTINGS),
            last.get(Probe.MAPPINGS))) {
      ((ObjectNode) all).remove(from);
    }
    return this;
  }

  /** A setting and a figure of an index. */
  public Sick index(String name, String key, Object value, String stat, Object figure) {
    setting(name, key, value);
    return set(last.get(Probe.INDEX_STATS).path("indices").path(name), stat, figure);
  }

  /** Fields that are text and keyword. */
  public Sick doubles(int count) {
    return fields(count, "{\"type\":\"text\",\"fields\":{\"keyword\":{\"type\":\"keyword\"}}}");
  }

  /** Fields that are keywords: k0, k1 and so on. */
  public Sick keywords(int count) {
    return fields(count, "{\"type\":\"keyword\"}");
  }

  private Sick fields(int count, String field) {
    ObjectNode mapping = Json.MAPPER.createObjectNode();
    for (int i = 0; i < count; i++) {
      mapping.withObject("properties").set("k" + i, tree(field));
    }
    return mapping(mapping.toString());
  }

  /** Roles of another node. */
  public Sick roles(String id, String... roles) {
    return set(last.get(Probe.NODES).path("nodes").path(id), "roles", roles);
  }

  /** A node that is not in the last answer. */
  public Sick gone(String id) {
    ((ObjectNode) last.get(Probe.STATS).path("nodes")).remove(id);
    return this;
  }

  /** No answer, for this reason. */
  public Sick missing(Probe probe, String why) {
    missing.put(probe, why);
    return without(probe);
  }

  private Sick set(JsonNode from, String path, Object value) {
    String[] keys = path.split("/");
    ObjectNode at = (ObjectNode) from;
    for (int i = 0; i < keys.length - 1; i++) {
      at = at.path(keys[i]).isObject() ? (ObjectNode) at.path(keys[i]) : at.putObject(keys[i]);
    }
    at.set(
        keys[keys.length - 1],
        value instanceof JsonNode node ? node : Json.MAPPER.valueToTree(value));
    return this;
  }

  private static JsonNode tree(String json) {
    try {
      return Json.MAPPER.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
