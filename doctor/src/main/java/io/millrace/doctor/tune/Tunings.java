package io.millrace.doctor.tune;

import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Product;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.tune.Tuning.When;
import io.millrace.doctor.unit.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What suits a use, on the cluster at hand. On Millrace the values are those of its profiles; on
 * other servers they are the same as far as these have the setting. Durability is never lowered,
 * and copies are never taken away.
 */
public final class Tunings {
  /** The setting by which Millrace knows what an index is for. */
  public static final String PROFILE = "index.millrace.profile";

  private static final String FRESHNESS = "index.millrace.freshness";

  /** A threshold below which a smaller first segment costs more than a late flush saves. */
  private static final long DEFAULT_FLUSH = 512L << 20;

  private static final long FLUSH = 1L << 30;
  private static final int MOST_SHARDS = 3;

  private Tunings() {}

  /** Whether the profile of an index says it, without a setting of the index's own. */
  static boolean saidByProfile(Tuning tuning, Use use, @Nullable String profile) {
    return tuning.key().equals(FRESHNESS) && use.text().equals(profile);
  }

  /** The settings for a use, in the order in which they are shown. */
  public static List<Tuning> of(Use use, Snapshot snapshot) {
    return use == Use.SEARCH
        ? search()
        : written(
            use,
            millrace(snapshot),
            snapshot.product(),
            flush(snapshot),
            Math.max(1, Math.min(MOST_SHARDS, snapshot.dataNodes().size())));
  }

  /** Whether every node runs Millrace: an index with its settings opens nowhere else. */
  public static boolean millrace(Snapshot snapshot) {
    return !snapshot.nodes().isEmpty() && snapshot.nodes().stream().allMatch(Tunings::millrace);
  }

  private static boolean millrace(Node node) {
    for (var plugin : node.info().path("plugins")) {
      if (plugin.path("name").asText().equals("millrace")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Up to 1.5 times the index buffer may wait for a flush, shared by the indices written to at
   * once; the larger of that and the default, up to 1 GB.
   */
  private static long flush(Snapshot snapshot) {
    long heap =
        snapshot.dataNodes().stream()
            .mapToLong(n -> n.info("jvm.mem.heap_max_in_bytes"))
            .min()
            .orElse(0);
    return heap == 0 ? FLUSH : Math.min(FLUSH, Math.max(DEFAULT_FLUSH, (long) (heap * 0.15)));
  }

  private static List<Tuning> written(
      Use use, boolean millrace, Product product, long flush, int shards) {
    boolean logs = use == Use.LOGS;
    List<Tuning> all = new ArrayList<>();
    if (millrace) {
      all.add(
          new Tuning(
              PROFILE,
              use.text(),
              "none",
              "Millrace then gives new indices everything else that suits " + use.text(),
              When.NEW,
              Objects::nonNull));
    }
    String interval = logs || !millrace ? "30s" : "5m";
    all.add(
        new Tuning(
            "index.refresh_interval",
            interval,
            "1s while searched",
            logs
                ? "log lines may be found 30 s late; each refresh writes a segment that is merged later"
                : "nobody looks at a trace the second it ends; each refresh writes a segment that is merged later",
            When.OPEN,
            old -> old != null && (old.equals("-1") || atLeast(old, interval))));
    if (millrace) {
      all.add(
          new Tuning(
              FRESHNESS,
              logs ? "5s" : "30s",
              "at the refresh interval",
              "while somebody searches, what was written is found within this time",
              When.OPEN,
              Objects::nonNull));
    }
    if (flush > DEFAULT_FLUSH || millrace) {
      String size = millrace || flush == FLUSH ? "1gb" : (flush >> 20) + "mb";
      all.add(
          new Tuning(
              "index.translog.flush_threshold_size",
              size,
              "512mb",
              "fewer commits and larger first segments; fits 1.5 times the index buffer, and a restart replays up to this much",
              When.OPEN,
              old -> Units.bytes(old) >= Units.bytes(size)));
    }
    all.add(
        new Tuning(
            "index.translog.generation_threshold_size",
            "256mb",
            "64mb",
            "every new generation of the translog forces a file to disk while writers wait; stays below the flush threshold",
            When.OPEN,
            old -> Units.bytes(old) >= 256L << 20));
    if (!millrace) {
      all.add(
          new Tuning(
              "index.codec",
              "best_compression",
              "default (LZ4)",
              "stored fields take a quarter to a third less; segments that are there keep theirs until they are merged",
              When.CLOSED,
              old -> old != null && !old.matches("(?i)default|lz4")));
    }
    if (millrace || (product.opensearch() && !product.opensearchBefore(3, 8, 0))) {
      all.add(
          new Tuning(
              "index.use_compound_file",
              "false",
              "true",
              "a flushed segment is not copied into one file",
              When.CLOSED,
              Objects::nonNull));
    }
    all.add(
        new Tuning(
            "index.number_of_shards",
            String.valueOf(shards),
            product.elasticsearchBefore(7, 0, 0) ? "5" : "1",
            "as many nodes write; three shards at most, and one where the indices are small",
            When.NEW,
            Objects::nonNull));
    return List.copyOf(all);
  }

  private static List<Tuning> search() {
    return List.of(
        new Tuning(
            "index.refresh_interval",
            null,
            "1s while searched",
            "an explicit second or less refreshes shards that nobody searches as well; the default does not",
            When.OPEN,
            old -> old == null || Units.millis(old) < 0 || Units.millis(old) > 1_000),
        new Tuning(
            "index.translog.durability",
            "request",
            "request",
            "with async, what was acknowledged within the last sync interval is lost when a node dies",
            When.OPEN,
            old -> old == null || old.equalsIgnoreCase("request")));
  }

  private static boolean atLeast(@Nullable String time, String wanted) {
    return Units.millis(time) >= Units.millis(wanted);
  }
}
