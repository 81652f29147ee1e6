package io.millrace.search.preference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.opensearch.Version;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.OperationRouting;
import org.opensearch.common.settings.Settings;

/** Random indices and random sets of shards: the values hit those and no others. */
class RoutingValuesFuzz {
  private static final int ROUNDS = Integer.getInteger("millrace.fuzz.rounds", 60);

  private static IndexMetadata index(String name, int shards) {
    return IndexMetadata.builder(name)
        .settings(
            Settings.builder()
                .put(IndexMetadata.SETTING_VERSION_CREATED, Version.CURRENT)
                .put(IndexMetadata.SETTING_NUMBER_OF_SHARDS, shards)
                .put(IndexMetadata.SETTING_NUMBER_OF_REPLICAS, 0))
        .build();
  }

  @Test
  void valuesLeadToTheChosenShardsAndNoOthers() {
    long seed = Long.getLong("millrace.fuzz.seed", new Random().nextLong());
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      IndexMetadata one = index("one", 1 + random.nextInt(random.nextInt(20) == 0 ? 200 : 12));
      IndexMetadata other = index("other", 1 + random.nextInt(4));
      BitSet ofOne = some(one, random);
      BitSet ofOther = some(other, random);
      if (one.getNumberOfShards() == other.getNumberOfShards()) {
        ofOther = ofOne;
      }
      RoutingValues values = new RoutingValues();
      values.want(one, ofOne);
      values.want(other, ofOther);
      List<String> found = values.find();
      String at = "seed " + seed + ", round " + round;
      assertEquals(reachable(one, ofOne, other, ofOther), found != null, at);
      if (found != null) {
        assertEquals(ofOne, reached(one, found), at);
        assertEquals(ofOther, reached(other, found), at);
      }
    }
  }

  /** Whether enough random values reach all of the chosen shards without any other one. */
  private static boolean reachable(
      IndexMetadata one, BitSet ofOne, IndexMetadata other, BitSet ofOther) {
    BitSet hitOne = new BitSet();
    BitSet hitOther = new BitSet();
    for (int i = 0; i < 50_000; i++) {
      int first = OperationRouting.generateShardId(one, null, "value" + i);
      int second = OperationRouting.generateShardId(other, null, "value" + i);
      if (ofOne.get(first) && ofOther.get(second)) {
        hitOne.set(first);
        hitOther.set(second);
      }
    }
    return hitOne.equals(ofOne) && hitOther.equals(ofOther);
  }

  private static BitSet some(IndexMetadata index, Random random) {
    BitSet shards = new BitSet();
    for (int left = 1 + random.nextInt(index.getNumberOfShards()); left > 0; left--) {
      shards.set(random.nextInt(index.getNumberOfShards()));
    }
    return shards;
  }

  private static BitSet reached(IndexMetadata index, List<String> values) {
    BitSet shards = new BitSet();
    values.forEach(value -> shards.set(OperationRouting.generateShardId(index, null, value)));
    return shards;
  }

  @Test
  void whatCannotBeReachedIsSaid() {
    IndexMetadata one = index("one", 2);
    BitSet first = new BitSet();
    first.set(0);
    BitSet second = new BitSet();
    second.set(1);
    RoutingValues values = new RoutingValues();
    values.want(one, first);
    values.want(index("another", 2), second);
    assertNull(values.find());
  }
}
