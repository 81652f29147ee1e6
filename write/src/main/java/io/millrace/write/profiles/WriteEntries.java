package io.millrace.write.profiles;

import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.profile.ProfileEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.opensearch.cluster.metadata.IndexMetadata;

/**
 * What the write path sets for logs and traces. Durability is never among it: the translog is
 * synced before a write is acknowledged, unless somebody sets {@code index.translog.durability}.
 * The profile search sets nothing: stock's refresh of each second applies only while the shard is
 * searched, and a search after a pause waits for what was written.
 */
final class WriteEntries {
  private static final int MOST_SHARDS = 3;

  private WriteEntries() {}

  /**
   * The entries.
   *
   * @param dataNodes how many the cluster has now
   */
  static List<ProfileEntry> all(IntSupplier dataNodes) {
    List<ProfileEntry> entries = new ArrayList<>();
    entries.add(
        ProfileEntry.of(
            Profile.LOGS,
            "index.refresh_interval",
            "30s",
            "logs are to be searchable within 30 s; a refresh each second costs CPU per document"));
    entries.add(
        ProfileEntry.of(
            Profile.TRACES,
            "index.refresh_interval",
            "5m",
            "traces are to be searchable within 5 minutes"));
    for (Profile written : List.of(Profile.LOGS, Profile.TRACES)) {
      entries.add(
          ProfileEntry.of(
              written,
              "index.translog.flush_threshold_size",
              "1gb",
              "fewer commits under load; a restart replays up to this much"));
      entries.add(
          ProfileEntry.of(
              written,
              "index.translog.generation_threshold_size",
              "256mb",
              "each new generation syncs a file; in relation to the flush threshold"));
      entries.add(
          ProfileEntry.of(
              written,
              "index.use_compound_file",
              "false",
              "a flushed segment is not copied into one file: 3 - 4 % of the node's CPU. Merged segments"
                  + " below a tenth of the index are packed as on stock, so only the latest have more files"));
      entries.add(
          new ProfileEntry(
              written,
              IndexMetadata.SETTING_NUMBER_OF_SHARDS,
              "data nodes, 3 at most",
              "three shards spread the load; no more than nodes",
              settings ->
                  String.valueOf(Math.max(1, Math.min(MOST_SHARDS, dataNodes.getAsInt())))));
    }
    return entries;
  }
}
