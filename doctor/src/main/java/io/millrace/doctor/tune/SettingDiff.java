package io.millrace.doctor.tune;

import org.jspecify.annotations.Nullable;

/**
 * One line of the diff.
 *
 * @param key of the setting, in full
 * @param from what is set now; null where nothing is
 * @param to what will be; null takes the key back
 * @param otherwise what holds where nothing is set, for people
 * @param reason why
 */
public record SettingDiff(
    String key, @Nullable String from, @Nullable String to, String otherwise, String reason) {
  static SettingDiff of(Tuning tuning, @Nullable String from) {
    return new SettingDiff(tuning.key(), from, tuning.value(), tuning.otherwise(), tuning.reason());
  }

  /** A value as people read it. */
  String shown(@Nullable String value) {
    return value == null ? "(" + otherwise + ")" : value;
  }
}
