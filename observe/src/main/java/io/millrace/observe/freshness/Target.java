package io.millrace.observe.freshness;

import io.millrace.kernel.profile.Profile;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.IndexSettings;

/**
 * What a shard promises now, and which of its index's settings says so.
 *
 * <p>Always: its explicit refresh interval, which the profiles logs and traces write into an index
 * when it is created. Where there is none, what the profile stands for: search in 5 s, logs in 30
 * s, traces in 5 minutes. While it is searched: {@code index.millrace.freshness} (write.profiles),
 * if that is sooner.
 *
 * @param millis -1 where nothing is promised
 * @param setting its name; empty where nothing is promised
 */
record Target(long millis, String setting) {
  static final Target NONE = new Target(-1, "");

  /**
   * The promise of a shard.
   *
   * @param freshnessMillis within which write.profiles refreshes the shard, because it is searched;
   *     -1 where it does not
   */
  static Target of(Profile profile, Settings settings, long freshnessMillis) {
    Target always = always(profile, settings);
    return freshnessMillis > 0 && (always == NONE || freshnessMillis < always.millis)
        ? new Target(freshnessMillis, Profile.FRESHNESS.getKey())
        : always;
  }

  private static Target always(Profile profile, Settings settings) {
    if (IndexSettings.INDEX_REFRESH_INTERVAL_SETTING.exists(settings)) {
      TimeValue interval = IndexSettings.INDEX_REFRESH_INTERVAL_SETTING.get(settings);
      return interval.millis() > 0
          ? new Target(interval.millis(), IndexSettings.INDEX_REFRESH_INTERVAL_SETTING.getKey())
          : NONE;
    }
    long within = profile.searchableWithin().millis();
    return within > 0 ? new Target(within, Profile.SETTING.getKey()) : NONE;
  }
}
