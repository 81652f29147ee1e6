package io.millrace.doctor.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.doctor.check.Recorded;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.snapshot.Anonymiser;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Shard;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Both shapes of what is known of shards: rows of older bundles, and routing table with sizes. */
class ShardsTest {
  /** The same answers, the rows of shards told as the server tells its routing table. */
  private static Snapshot routed(Snapshot snapshot) {
    ObjectNode state = Json.MAPPER.createObjectNode();
    ObjectNode sizes = Json.MAPPER.createObjectNode();
    for (Node node : snapshot.nodes()) {
      state.withObject("/nodes").putObject(node.id()).put("name", node.name());
    }
    for (Shard shard : snapshot.shards()) {
      String id =
          snapshot.nodes().stream()
              .filter(node -> node.name().equals(shard.node()))
              .map(Node::id)
              .findFirst()
              .orElse("");
      ObjectNode copy =
          child(state, "routing_table", "indices", shard.index(), "shards")
              .withArray(String.valueOf(shard.number()))
              .addObject()
              .put("primary", shard.primary())
              .put("state", shard.state())
              .put("node", id.isEmpty() ? null : id);
      if (!shard.unassignedReason().isEmpty() && !shard.unassignedReason().equals("null")) {
        copy.putObject("unassigned_info").put("reason", shard.unassignedReason());
      }
      if (shard.bytes() >= 0 && !id.isEmpty()) {
        ObjectNode size =
            child(sizes, "indices", shard.index(), "shards")
                .withArray(String.valueOf(shard.number()))
                .addObject();
        size.putObject("routing").put("node", id);
        size.putObject("docs").put("count", shard.docs());
        size.putObject("store").put("size_in_bytes", shard.bytes());
      }
    }
    return with(snapshot, Map.of(Probe.SHARDS, state, Probe.SHARD_SIZES, sizes));
  }

  private static Snapshot with(Snapshot snapshot, Map<Probe, JsonNode> others) {
    Map<Probe, JsonNode> firsts = new EnumMap<>(Probe.class);
    Map<Probe, JsonNode> answers = new EnumMap<>(Probe.class);
    for (Probe probe : Probe.values()) {
      if (!snapshot.first(probe).isMissingNode()) {
        firsts.put(probe, snapshot.first(probe));
      }
      JsonNode answer = others.getOrDefault(probe, snapshot.get(probe));
      if (!answer.isMissingNode()) {
        answers.put(probe, answer);
      }
    }
    return snapshot.with(firsts, answers);
  }

  private static ObjectNode child(ObjectNode from, String... keys) {
    ObjectNode at = from;
    for (String key : keys) {
      at = at.path(key) instanceof ObjectNode there ? there : at.putObject(key);
    }
    return at;
  }

  private static Set<Shard> shards(Snapshot snapshot) {
    return new HashSet<>(snapshot.shards());
  }

  private static List<String> findings(Snapshot snapshot) {
    return Examination.of(snapshot, Catalogue.all()).findings().stream()
        .map(finding -> finding.check().id() + " " + finding.evidence())
        .toList();
  }

  @Test
  void routingTableTellsWhatRowsTell() {
    Map<String, Snapshot> all = Recorded.all();
    all.put("unassigned", sick().snapshot());
    all.forEach((name, rows) -> {
      Snapshot routed = routed(rows);
      assertEquals(shards(rows), shards(routed), name);
      assertEquals(rows.shards().size(), routed.shards().size(), name);
      assertEquals(findings(rows), findings(routed), name);
      assertEquals(shards(Anonymiser.of(rows)), shards(Anonymiser.of(routed)), name);
    });
  }

  private static Sick sick() {
    return Sick.cluster()
        .answer(Probe.HEALTH, "{\"status\":\"red\"}")
        .products("index.number_of_shards", 2)
        .shard("products", 1, "p", "STARTED", 1_600_000_000L, 70L << 30, "n1")
        .shard("products", 1, "r", "UNASSIGNED", 0, -1, null)
        .shard("app-logs-2026.11.20", 1, "p", "UNASSIGNED", 0, -1, null);
  }

  @Test
  void largeAndMissingShardsAreFoundInTheRoutingTable() {
    List<String> found = findings(routed(sick().snapshot()));
    for (String id : List.of("shards-large ", "shards-skewed ", "health-red ")) {
      assertTrue(found.stream().anyMatch(finding -> finding.startsWith(id)), found::toString);
    }
  }

  /** Of an index with one primary nothing more is asked than what is asked for anyway. */
  @Test
  void onePrimaryIsAsLargeAsItsIndex() {
    Snapshot without =
        with(routed(Recorded.healthy()), Map.of(Probe.SHARD_SIZES, Json.MAPPER.createObjectNode()));
    for (Shard shard : without.shards()) {
      Index index =
          without.indices().stream()
              .filter(i -> i.name().equals(shard.index()))
              .findFirst()
              .orElseThrow();
      assertEquals(shard.primary() ? index.bytes() : -1, shard.bytes(), shard::toString);
      assertEquals(shard.primary() ? index.docs() : 0, shard.docs(), shard::toString);
    }
  }

  @Test
  void brokenAnswersHaveNoShards() {
    for (String json : List.of("{}", "[]", "{\"routing_table\":7}", "\"text\"")) {
      assertEquals(List.of(), Sick.cluster().answer(Probe.SHARDS, json).snapshot().shards(), json);
    }
    String odd = "{\"routing_table\":{\"indices\":{\"a\":{\"shards\":{\"x\":[{}, 3]}}}}}";
    assertEquals(2, Sick.cluster().answer(Probe.SHARDS, odd).snapshot().shards().size());
  }
}
