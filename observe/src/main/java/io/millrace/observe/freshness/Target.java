package io.millrace.observe.freshness;

import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.IndexSettings;

/**
 * What an index promises: seed 000 wants search in 5 s, logs in 30 s and traces in 5 minutes. An
 * index without a profile promises its own refresh interval, if somebody wrote one.
 */
final class Target {
  private Target() {}

  /** Milliseconds; -1 for an index that promises nothing. */
  static long of(String profile, Settings settings) {
    return switch (profile) {
      case "search" -> 5_000;
      case "logs" -> 30_000;
      case "traces" -> 300_000;
      default -> {
        TimeValue interval =
            IndexSettings.INDEX_REFRESH_INTERVAL_SETTING.exists(settings)
                ? IndexSettings.INDEX_REFRESH_INTERVAL_SETTING.get(settings)
                : TimeValue.MINUS_ONE;
        yield interval.millis() > 0 ? interval.millis() : -1;
      }
    };
  }
}
