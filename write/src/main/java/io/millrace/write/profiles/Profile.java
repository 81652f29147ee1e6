package io.millrace.write.profiles;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.opensearch.common.unit.TimeValue;

/**
 * The three uses (promise index-defaults) and what each sets. Durability is never among it: the
 * translog is synced before a write is acknowledged, unless somebody sets {@code
 * index.translog.durability}.
 */
public enum Profile {
  /** No profile: stock's defaults. */
  NONE(TimeValue.MINUS_ONE, false, List.of()),

  /** High writes, few reads; searchable within 30 s, within 5 s while somebody searches. */
  LOGS(
      TimeValue.timeValueSeconds(5),
      true,
      List.of(
          new Default(
              "index.refresh_interval",
              "30s",
              "logs are to be searchable within 30 s; a refresh each second costs CPU per document"),
          new Default(
              "index.translog.flush_threshold_size",
              "1gb",
              "fewer commits under load; a restart replays up to this much"),
          new Default(
              "index.translog.generation_threshold_size",
              "256mb",
              "each new generation syncs a file; in relation to the flush threshold"),
          flushedAsWritten())),

  /** High writes, few reads; searchable within 5 min, within 30 s while somebody searches. */
  TRACES(
      TimeValue.timeValueSeconds(30),
      true,
      List.of(
          new Default(
              "index.refresh_interval", "5m", "traces are to be searchable within 5 minutes"),
          new Default(
              "index.translog.flush_threshold_size",
              "1gb",
              "fewer commits under load; a restart replays up to this much"),
          new Default(
              "index.translog.generation_threshold_size",
              "256mb",
              "each new generation syncs a file; in relation to the flush threshold"),
          flushedAsWritten())),

  /**
   * Modest writes, many reads, seconds. Sets no refresh interval: stock's second applies only while
   * the shard is searched, and a search after a pause waits for what was written.
   */
  SEARCH(TimeValue.MINUS_ONE, false, List.of());

  /**
   * One setting of a profile.
   *
   * @param key the index setting
   * @param value its value where neither template nor request names the setting
   * @param reason why, and the source
   */
  public record Default(String key, String value, String reason) {}

  private final TimeValue freshness;
  private final boolean spreads;
  private final List<Default> defaults;

  Profile(TimeValue freshness, boolean spreads, List<Default> defaults) {
    this.freshness = freshness;
    this.spreads = spreads;
    this.defaults = defaults;
  }

  private static Default flushedAsWritten() {
    return new Default(
        "index.use_compound_file",
        "false",
        "a flushed segment is not copied into one file: 3 - 4 % of the node's CPU. Merged segments"
            + " below a tenth of the index are packed as on stock, so only the latest have more files");
  }

  /** How soon a searched shard shows what was written; -1: stock's refresh alone. */
  public TimeValue freshness() {
    return freshness;
  }

  /** Whether a new index gets a shard for each of up to three data nodes (promise shard-count). */
  public boolean spreads() {
    return spreads;
  }

  /** Settings with value and reason. */
  public List<Default> defaults() {
    return defaults;
  }

  /** As written in the setting. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads the setting.
   *
   * @throws IllegalArgumentException naming the profiles there are
   */
  public static Profile parse(String value) {
    for (Profile profile : values()) {
      if (profile.key().equals(value)) {
        return profile;
      }
    }
    throw new IllegalArgumentException(
        "[index.millrace.profile] is ["
            + value
            + "]; use one of "
            + Arrays.stream(values()).map(Profile::key).toList());
  }
}
