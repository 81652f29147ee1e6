package io.millrace.search.deadline;

import io.millrace.kernel.settings.Knob;
import org.opensearch.common.unit.TimeValue;

/**
 * How long hits that were found are read when the time of their search is over before that.
 *
 * @param setting the whole of it
 */
record FetchTime(Knob<TimeValue> setting) {
  /** The part of it that is left for a shard that has waited for all of it. */
  private static final int WAITED = 10;

  /** The whole, which the shards of a search share, nanoseconds. */
  long shared() {
    return setting.value().nanos();
  }

  /** That of one shard by itself when the others have used up the whole, nanoseconds. */
  long afterWaiting() {
    return shared() / WAITED;
  }
}
