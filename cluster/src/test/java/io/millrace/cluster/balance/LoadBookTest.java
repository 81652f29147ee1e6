package io.millrace.cluster.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.Version;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.settings.Settings;

class LoadBookTest {
  private final LoadBook book = new LoadBook();

  private static Metadata metadata(String... names) {
    Metadata.Builder metadata = Metadata.builder();
    for (String name : names) {
      metadata.put(
          IndexMetadata.builder(name)
              .settings(
                  Settings.builder()
                      .put("index.version.created", Version.CURRENT)
                      .put("index.uuid", name + "-uuid")
                      .put("index.number_of_shards", 2)
                      .put("index.number_of_replicas", 2))
              .build(),
          false);
    }
    return metadata.build();
  }

  private static Map<String, Object> report(
      Map<String, Object> primaries, Map<String, Object> replicas) {
    return Map.of(WriteRates.PRIMARIES, primaries, WriteRates.REPLICAS, replicas);
  }

  @Test
  void primariesAndReplicasAreKnownApartAndReplicasAsTheirMean() {
    Metadata metadata = metadata("a");
    IndexMetadata index = metadata.index("a");
    LoadBook.Poll poll = new LoadBook.Poll();
    poll.add(report(Map.of("a-uuid/0", 2.0), Map.of()));
    poll.add(report(Map.of(), Map.of("a-uuid/0", 0.5)));
    poll.add(report(Map.of("a-uuid/1", 1.0), Map.of("a-uuid/0", 1.5)));
    book.take(poll, metadata, 0.5);
    assertEquals(new LoadBook.Rates(2, 1), book.of(index)[0]);
    assertEquals(new LoadBook.Rates(1, ShardLoads.REPLICA_SHARE), book.of(index)[1]);
  }

  @Test
  void whatIsNotReportedFadesAndGoes() {
    Metadata metadata = metadata("a");
    LoadBook.Poll poll = new LoadBook.Poll();
    poll.add(report(Map.of("a-uuid/0", 2.0), Map.of("a-uuid/0", 1.0)));
    book.take(poll, metadata, 0.5);
    book.take(new LoadBook.Poll(), metadata, 0.5);
    assertEquals(new LoadBook.Rates(1, 0.5), book.of(metadata.index("a"))[0]);
    for (int i = 0; i < 40; i++) {
      book.take(new LoadBook.Poll(), metadata, 0.5);
    }
    assertTrue(book.isEmpty());
  }

  @Test
  void aDeletedIndexIsForgotten() {
    LoadBook.Poll poll = new LoadBook.Poll();
    poll.add(report(Map.of("a-uuid/0", 2.0, "b-uuid/0", 1.0), Map.of()));
    book.take(poll, metadata("a", "b"), 1);
    assertEquals(2, book.size());
    Metadata left = metadata("b");
    book.take(new LoadBook.Poll(), left, 1);
    assertEquals(1, book.size());
    assertEquals(1, book.of(left.index("b"))[0].primary());
    book.clear();
    assertTrue(book.isEmpty());
  }

  @Test
  void whatIsNoRateIsLeftOut() {
    Metadata metadata = metadata("a");
    LoadBook.Poll poll = new LoadBook.Poll();
    poll.add(Map.of());
    poll.add(Map.of(WriteRates.PRIMARIES, "none", WriteRates.REPLICAS, 3));
    poll.add(
        report(
            Map.of("a-uuid/0", -1.0, "a-uuid/1", Double.POSITIVE_INFINITY, "x", Double.NaN),
            Map.of("a-uuid/0", "many")));
    book.take(poll, metadata, 1);
    assertTrue(book.isEmpty());
  }

  @Test
  void aShardWithoutAnyRateStaysUnknown() {
    Metadata metadata = metadata("a");
    LoadBook.Poll poll = new LoadBook.Poll();
    poll.add(report(Map.of("a-uuid/0", 1.0), Map.of()));
    book.take(poll, metadata, 1);
    assertFalse(book.isEmpty());
    assertNull(book.of(metadata.index("a"))[1]);
  }
}
