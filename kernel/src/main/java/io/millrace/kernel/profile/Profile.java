package io.millrace.kernel.profile;

import java.util.Arrays;
import java.util.Locale;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;

/**
 * What an index is for, as {@code index.millrace.profile} says it, and what that promises to those
 * who search it. What a profile sets beside that is contributed by features, each with its reason
 * ({@link ProfileEntry}).
 */
public enum Profile {
  /** No profile: stock's defaults. */
  NONE(TimeValue.MINUS_ONE, TimeValue.MINUS_ONE),

  /** High writes, few reads; searchable within 30 s, within 5 s while somebody searches. */
  LOGS(TimeValue.timeValueSeconds(30), TimeValue.timeValueSeconds(5)),

  /** High writes, few reads; searchable within 5 min, within 30 s while somebody searches. */
  TRACES(TimeValue.timeValueMinutes(5), TimeValue.timeValueSeconds(30)),

  /** Modest writes, many reads; searchable within 5 s. */
  SEARCH(TimeValue.timeValueSeconds(5), TimeValue.MINUS_ONE);

  /** The profile of an index; chosen when it is created. */
  public static final Setting<Profile> SETTING =
      new Setting<>(
          "index.millrace.profile", "none", Profile::parse, Property.IndexScope, Property.Final);

  /** How soon a searched shard shows what was written; -1: at the refresh interval only. */
  public static final Setting<TimeValue> FRESHNESS =
      new Setting<>(
          "index.millrace.freshness",
          settings -> SETTING.get(settings).freshness.getStringRep(),
          Profile::freshness,
          Property.IndexScope,
          Property.Dynamic);

  private final TimeValue searchableWithin;
  private final TimeValue freshness;

  Profile(TimeValue searchableWithin, TimeValue freshness) {
    this.searchableWithin = searchableWithin;
    this.freshness = freshness;
  }

  /** Within which time what was written is found, whoever searches; -1: nothing is promised. */
  public TimeValue searchableWithin() {
    return searchableWithin;
  }

  /** How soon a searched shard shows what was written; -1: stock's refresh alone. */
  public TimeValue freshness() {
    return freshness;
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

  private static TimeValue freshness(String value) {
    TimeValue time = TimeValue.parseTimeValue(value, "index.millrace.freshness");
    if (time.millis() >= 0 && time.millis() < 1000) {
      throw new IllegalArgumentException(
          "[index.millrace.freshness] is ["
              + value
              + "]; use 1s or more, or -1 for the refresh interval alone");
    }
    return time;
  }
}
