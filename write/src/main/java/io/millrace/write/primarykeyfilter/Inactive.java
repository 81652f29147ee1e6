package io.millrace.write.primarykeyfilter;

import java.util.Locale;

/** Why a shard that could have a filter has none until it is opened or switched on again. */
enum Inactive {
  /** The memory for one more layer was refused by the setting or by a circuit breaker. */
  SATURATED,
  /** Nearly every id that came was there already, so that asking the filter saved nothing. */
  NOT_PAYING,
  /** The ids of the shard could not be read. */
  FAILED;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
