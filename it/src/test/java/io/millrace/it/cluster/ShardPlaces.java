package io.millrace.it.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.Await;
import io.millrace.testkit.http.JsonHttp;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Where the copies of all shards are. */
final class ShardPlaces {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private ShardPlaces() {}

  /** A copy of a shard and its node. */
  record Place(String index, int shard, String node) {}

  /** Makes an index with one replica of each shard, and waits for all copies. */
  static void make(JsonHttp http, String index, int shards) {
    http.put(
            "/" + index,
            "{\"settings\":{\"number_of_shards\":%d,\"number_of_replicas\":1}}".formatted(shards))
        .ok();
    awaitSettled(http);
  }

  /** The places of all copies, also of those that are on their way to one. */
  static Set<Place> places(JsonHttp http) {
    Set<Place> places = new HashSet<>();
    for (JsonNode copy :
        http.get("/_cat/shards?format=json&h=index,shard,state,node").ok().json()) {
      if (!copy.path("state").asText().equals("UNASSIGNED")) {
        // "node-1 -> 127.0.0.1 ID node-2" while it is on its way
        String node = copy.path("node").asText().replaceFirst(" ->.*", "");
        places.add(new Place(copy.path("index").asText(), copy.path("shard").asInt(), node));
      }
    }
    return places;
  }

  /** The copies of a node. */
  static long on(String node, Set<Place> places) {
    return places.stream().filter(place -> place.node().equals(node)).count();
  }

  /** How many places have a copy that had none before. */
  static int moved(Set<Place> before, Set<Place> after) {
    return (int) after.stream().filter(place -> !before.contains(place)).count();
  }

  /** Waits until every copy is in place, none is on its way, and nothing more is to be decided. */
  static void awaitSettled(JsonHttp http) {
    await(
        http,
        "wait_for_events=languid&wait_for_status=green&wait_for_no_relocating_shards=true"
            + "&wait_for_no_initializing_shards=true");
  }

  /** Waits until the node that is asked has a cluster of so many nodes. */
  static void awaitNodes(JsonHttp http, int count) {
    await(http, "wait_for_nodes=" + count);
  }

  private static void await(JsonHttp http, String condition) {
    try {
      Await.until(
          "health with " + condition,
          LIMIT,
          () -> http.get("/_cluster/health?timeout=5s&" + condition).status() == 200);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + describe(http), e);
    }
  }

  private static String describe(JsonHttp http) {
    return http.get("/_cat/shards?h=index,shard,prirep,state,node,unassigned.reason").body()
        + http.get("/_cluster/allocation/explain").body();
  }

  /** In the order of names, for messages. */
  static String text(Set<Place> places) {
    return places.stream().map(Place::toString).sorted().collect(Collectors.joining("\n"));
  }
}
