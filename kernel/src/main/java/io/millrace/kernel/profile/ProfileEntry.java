package io.millrace.kernel.profile;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Settings;

/**
 * One setting that a feature contributes to a profile.
 *
 * @param profile whose indices get it
 * @param key the index setting
 * @param value what people read: the value, or how it is found
 * @param reason why
 * @param now the value for an index that is created now with the settings of its templates and
 *     request, and of the entries declared before; null leaves the setting to stock, for example
 *     while the feature is off or where these settings rule it out
 */
public record ProfileEntry(
    Profile profile,
    String key,
    String value,
    String reason,
    Function<Settings, @Nullable String> now) {

  /** An entry with the same value always. */
  public static ProfileEntry of(Profile profile, String key, String value, String reason) {
    return new ProfileEntry(profile, key, value, reason, settings -> value);
  }
}
