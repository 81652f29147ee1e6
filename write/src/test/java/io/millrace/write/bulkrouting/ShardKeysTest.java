package io.millrace.write.bulkrouting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opensearch.Version;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.routing.OperationRouting;
import org.opensearch.common.settings.Settings;

class ShardKeysTest {

  static IndexMetadata index(String name, int shards, Settings more) {
    return IndexMetadata.builder(name)
        .settings(
            Settings.builder()
                .put(IndexMetadata.SETTING_VERSION_CREATED, Version.CURRENT)
                .put(IndexMetadata.SETTING_INDEX_UUID, name + "-uuid")
                .put(IndexMetadata.SETTING_NUMBER_OF_SHARDS, shards)
                .put(IndexMetadata.SETTING_NUMBER_OF_REPLICAS, 0)
                .put(more))
        .build();
  }

  static final Settings ON = Settings.builder().put("index.bulk_routing.enabled", true).build();

  @ParameterizedTest
  @CsvSource({"2", "3", "12", "100", "120", "1024"})
  void everyShardHasAKeyThatLeadsToIt(int shards) {
    IndexMetadata index = index("logs", shards, ON);
    String[] keys = ShardKeys.compute(index);
    assertEquals(shards, keys.length);
    for (int shard = 0; shard < shards; shard++) {
      assertNotNull(keys[shard]);
      assertTrue(keys[shard].length() <= 4, keys[shard]);
      assertEquals(shard, OperationRouting.generateShardId(index, null, keys[shard]));
    }
  }

  @Test
  void keysAreHandedOutInTurn() {
    ShardKeys keys = new ShardKeys(index("logs", 12, ON));
    for (int round = 0; round < 3; round++) {
      Set<String> seen = new HashSet<>();
      for (int i = 0; i < 12; i++) {
        seen.add(keys.next(shard -> true));
      }
      assertEquals(12, seen.size());
    }
  }

  @Test
  void passesOverShardsWithoutAnActivePrimary() {
    IndexMetadata index = index("logs", 4, ON);
    String[] all = ShardKeys.compute(index);
    ShardKeys keys = new ShardKeys(index);
    for (int i = 0; i < 20; i++) {
      assertEquals(all[2], keys.next(shard -> shard == 2));
    }
    assertNotNull(keys.next(shard -> false), "none is active: stock's wait and error");
  }

  @Test
  void indicesThatApply() {
    assertTrue(RoutedIndices.applies(index("a", 2, ON)));
    assertFalse(RoutedIndices.applies(index("a", 1, ON)));
    assertFalse(RoutedIndices.applies(index("a", 2, Settings.EMPTY)));
    assertFalse(
        RoutedIndices.applies(
            index(
                "a",
                8,
                Settings.builder().put(ON).put("index.routing_partition_size", 3).build())));
    assertFalse(
        RoutedIndices.applies(
            index(
                "a",
                8,
                Settings.builder()
                    .put(ON)
                    .put("index.append_only.enabled", true)
                    .put("index.bulk.adaptive_shard_selection.enabled", true)
                    .build())));
  }

  @Test
  void indicesComeAndGoWithTheClusterState() {
    RoutedIndices routed = new RoutedIndices();
    assertTrue(routed.isEmpty());
    IndexMetadata logs = index("logs", 4, ON);
    Metadata none = Metadata.builder().build();
    Metadata one = Metadata.builder().put(logs, false).build();
    routed.update(none, one);
    ShardKeys keys = routed.get("logs");
    assertNotNull(keys);

    IndexMetadata mapped = IndexMetadata.builder(logs).mappingVersion(9).build();
    Metadata newMapping = Metadata.builder().put(mapped, false).build();
    routed.update(one, newMapping);
    assertEquals(keys, routed.get("logs"), "a mapping change keeps the keys and the turn");

    IndexMetadata off =
        IndexMetadata.builder(mapped)
            .settings(
                Settings.builder()
                    .put(mapped.getSettings())
                    .put("index.bulk_routing.enabled", false))
            .settingsVersion(9)
            .build();
    routed.update(newMapping, Metadata.builder().put(off, false).build());
    assertTrue(routed.isEmpty());
    routed.update(none, one);
    routed.update(one, none);
    assertTrue(routed.isEmpty());
  }
}
