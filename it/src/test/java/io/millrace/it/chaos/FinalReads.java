package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.chaos.Histories.Key;
import io.millrace.testkit.Await;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads everything after the last fault has healed: each copy of each index by a search on its
 * node, and each document by its id.
 */
final class FinalReads {
  private static final Duration CATCH_UP = Duration.ofSeconds(60);
  private static final int GROUP = 500;

  private final JsonHttp http;
  private final Histories histories;
  private final List<Violation> violations = new ArrayList<>();

  FinalReads(Cluster cluster, Histories histories) {
    this.http = cluster.node(0).http();
    this.histories = histories;
  }

  /** What the copies themselves show; the reads are in the histories. */
  List<Violation> violations() {
    return violations;
  }

  /** Reads one index. */
  void read(Appended index) {
    String name = index.index();
    http.post("/" + name + "/_refresh").ok();
    Map<String, String> copies = copies(name);
    Contents primary = Contents.of(http, name, "_primary");
    for (Map.Entry<String, String> copy : copies.entrySet()) {
      Contents contents = caughtUp(name, copy, primary);
      histories.keys(name).forEach(key -> keep(key, contents.byId().get(key.id()), copy.getKey()));
      appended(index, contents, copy.getKey());
    }
    byId(name);
  }

  /** Names of the nodes that have a copy, and their ids. */
  private Map<String, String> copies(String index) {
    JsonNode nodes = http.get("/_nodes/_all/name").ok().at("/nodes");
    Map<String, String> ids = new LinkedHashMap<>();
    nodes
        .properties()
        .forEach(node -> ids.put(node.getValue().path("name").asText(), node.getKey()));
    Map<String, String> copies = new LinkedHashMap<>();
    JsonNode shards = http.get("/_cat/shards/" + index + "?format=json&h=prirep,node").ok().json();
    for (JsonNode shard : shards) {
      String node = shard.path("node").asText();
      copies.put(node + " (" + shard.path("prirep").asText() + ")", ids.get(node));
    }
    return copies;
  }

  /** A replica of segments may lag, but has to come to what the primary has. */
  private Contents caughtUp(String index, Map.Entry<String, String> copy, Contents primary) {
    Contents[] last = new Contents[1];
    try {
      Await.until(
          copy.getKey() + " to have what the primary of " + index + " has",
          CATCH_UP,
          () -> {
            last[0] = Contents.of(http, index, "_only_nodes:" + copy.getValue());
            return last[0].equals(primary);
          });
    } catch (AssertionError e) {
      if (last[0] == null) {
        throw e;
      }
      violations.add(
          new Violation(
              Violation.Kind.DIVERGED, index, difference(copy.getKey(), last[0], primary)));
    }
    return last[0];
  }

  private static String difference(String copy, Contents contents, Contents primary) {
    String differing =
        ids(contents, primary).stream()
            .filter(id -> !Objects.equals(contents.byId().get(id), primary.byId().get(id)))
            .limit(10)
            .map(id -> id + ": " + contents.byId().get(id) + " primary " + primary.byId().get(id))
            .collect(Collectors.joining("; "));
    List<Long> more = new ArrayList<>(contents.appended());
    more.removeAll(primary.appended());
    List<Long> less = new ArrayList<>(primary.appended());
    less.removeAll(contents.appended());
    return copy
        + " differs from the primary: "
        + differing
        + "; appended more "
        + more
        + " less "
        + less;
  }

  private static Set<String> ids(Contents one, Contents other) {
    Set<String> ids = new TreeSet<>(one.byId().keySet());
    ids.addAll(other.byId().keySet());
    return ids;
  }

  private void keep(Key key, Contents.@Nullable Found found, String by) {
    long now = System.nanoTime();
    histories.add(
        key,
        found == null
            ? Operation.read(Operation.ABSENT, now, now, Stamp.NONE, Checker.FINAL + by)
            : Operation.read(found.value(), now, now, found.stamp(), Checker.FINAL + by));
  }

  private void appended(Appended index, Contents contents, String copy) {
    List<Long> missing = index.missing(contents.appended(), System.nanoTime());
    if (!missing.isEmpty()) {
      report(Violation.Kind.LOST, index, copy + " lacks appended documents " + missing);
    }
    contents.doubled().forEach(text -> report(Violation.Kind.DOUBLED, index, copy + ": " + text));
    List<Long> strange =
        contents.appended().stream().filter(value -> !index.sent(value)).limit(10).toList();
    if (!strange.isEmpty()) {
      report(Violation.Kind.INVENTED, index, copy + " has documents that nobody sent " + strange);
    }
  }

  private void report(Violation.Kind kind, Appended index, String text) {
    violations.add(new Violation(kind, index.index(), text));
  }

  private void byId(String index) {
    List<Key> keys = histories.keys(index);
    for (int from = 0; from < keys.size(); from += GROUP) {
      List<Key> group = keys.subList(from, Math.min(keys.size(), from + GROUP));
      String ids =
          group.stream().map(key -> "\"" + key.id() + "\"").collect(Collectors.joining(","));
      JsonNode docs = http.post("/" + index + "/_mget", "{\"ids\":[" + ids + "]}").ok().at("/docs");
      for (int i = 0; i < group.size(); i++) {
        JsonNode doc = docs.get(i);
        if (!doc.path("found").isBoolean()) {
          throw new AssertionError(group.get(i) + " cannot be read: " + doc);
        }
        boolean found = doc.path("found").asBoolean();
        keep(
            group.get(i),
            found
                ? new Contents.Found(ValueDocument.value(doc.path("_source")), Stamp.of(doc))
                : null,
            "by id");
      }
    }
  }
}
