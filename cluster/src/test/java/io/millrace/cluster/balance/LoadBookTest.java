package io.millrace.cluster.balance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.opensearch.Version;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.settings.Settings;

class LoadBookTest {
  /** So long that every rate is believed. */
  private static final double WINDOW = 1e12;

  private final LoadBook book = new LoadBook();

  private static Map<String, Object> rate(double busy) {
    return new CopyRate(10 * busy, busy, 1).report();
  }

  private void knows(double primary, double replica, LoadBook.@Nullable Rates rates) {
    assertEquals(primary, rates.primary(), 1e-6);
    assertEquals(replica, rates.replica(), 1e-6);
  }

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
    LoadBook.Poll poll = new LoadBook.Poll(WINDOW);
    poll.add(report(Map.of("a-uuid/0", rate(2.0)), Map.of()));
    poll.add(report(Map.of(), Map.of("a-uuid/0", rate(0.5))));
    poll.add(report(Map.of("a-uuid/1", rate(1.0)), Map.of("a-uuid/0", rate(1.5))));
    book.take(poll, metadata, 0.5);
    knows(2, 1, book.of(index)[0]);
    knows(1, ShardLoads.REPLICA_SHARE, book.of(index)[1]);
  }

  @Test
  void whatIsNotReportedFadesAndGoes() {
    Metadata metadata = metadata("a");
    LoadBook.Poll poll = new LoadBook.Poll(WINDOW);
    poll.add(report(Map.of("a-uuid/0", rate(2.0)), Map.of("a-uuid/0", rate(1.0))));
    book.take(poll, metadata, 0.5);
    book.take(new LoadBook.Poll(WINDOW), metadata, 0.5);
    knows(1, 0.5, book.of(metadata.index("a"))[0]);
    for (int i = 0; i < 40; i++) {
      book.take(new LoadBook.Poll(WINDOW), metadata, 0.5);
    }
    assertTrue(book.isEmpty());
  }

  @Test
  void aDeletedIndexIsForgotten() {
    LoadBook.Poll poll = new LoadBook.Poll(WINDOW);
    poll.add(report(Map.of("a-uuid/0", rate(2.0), "b-uuid/0", rate(1.0)), Map.of()));
    book.take(poll, metadata("a", "b"), 1);
    assertEquals(2, book.size());
    Metadata left = metadata("b");
    book.take(new LoadBook.Poll(WINDOW), left, 1);
    assertEquals(1, book.size());
    assertEquals(1, book.of(left.index("b"))[0].primary(), 1e-6);
    book.clear();
    assertTrue(book.isEmpty());
  }

  @Test
  void whatIsNoRateIsLeftOut() {
    Metadata metadata = metadata("a");
    LoadBook.Poll poll = new LoadBook.Poll(WINDOW);
    poll.add(Map.of());
    poll.add(Map.of(WriteRates.PRIMARIES, "none", WriteRates.REPLICAS, 3));
    poll.add(
        report(
            Map.of("a-uuid/0", rate(-1), "a-uuid/1", rate(Double.POSITIVE_INFINITY)),
            Map.of("a-uuid/0", "many", "a-uuid/1", new CopyRate(1, 1, 2).report())));
    book.take(poll, metadata, 1);
    assertTrue(book.isEmpty());
  }

  @Test
  void aShardWithoutAnyRateStaysUnknown() {
    Metadata metadata = metadata("a");
    LoadBook.Poll poll = new LoadBook.Poll(WINDOW);
    poll.add(report(Map.of("a-uuid/0", rate(1.0)), Map.of()));
    book.take(poll, metadata, 1);
    assertFalse(book.isEmpty());
    assertNull(book.of(metadata.index("a"))[1]);
  }

  @Test
  void aPauseIsNotTakenForACostlyDocument() {
    Metadata metadata = metadata("a", "b", "c");
    LoadBook.Poll poll = new LoadBook.Poll(300);
    // 10 documents a second of 0.1 ms; a pause of 0.3 s fell into those of b; those of c are heavy
    poll.add(
        report(
            Map.of(
                "a-uuid/0", new CopyRate(10, 0.001, 1).report(),
                "b-uuid/0", new CopyRate(10, 0.002, 1).report(),
                "c-uuid/0", new CopyRate(10, 0.5, 1).report()),
            Map.of()));
    book.take(poll, metadata, 1);
    double a = book.of(metadata.index("a"))[0].primary();
    double b = book.of(metadata.index("b"))[0].primary();
    double c = book.of(metadata.index("c"))[0].primary();
    assertEquals(1, b / a, 0.3);
    assertEquals(0.5, c, 0.05);
  }
}
