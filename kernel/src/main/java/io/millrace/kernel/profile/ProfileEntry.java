package io.millrace.kernel.profile;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One setting that a feature contributes to a profile.
 *
 * @param profile whose indices get it
 * @param key the index setting
 * @param value what people read: the value, or how it is found
 * @param reason why
 * @param now the value for an index that is created now; null leaves the setting to stock, for
 *     example while the feature is off
 */
public record ProfileEntry(
    Profile profile, String key, String value, String reason, Supplier<@Nullable String> now) {

  /** An entry with the same value always. */
  public static ProfileEntry of(Profile profile, String key, String value, String reason) {
    return new ProfileEntry(profile, key, value, reason, () -> value);
  }
}
