package io.millrace.kernel.profile;

import java.util.List;

/**
 * What a profile could set and does not, so that who looks for it finds why.
 *
 * @param profiles which leave it out
 * @param key the setting, or the parameter of a mapping
 * @param reason why
 */
public record LeftOut(List<Profile> profiles, String key, String reason) {

  /** What the profiles of indices that are written much leave out. */
  public static LeftOut ofWritten(String key, String reason) {
    return new LeftOut(List.of(Profile.LOGS, Profile.TRACES), key, reason);
  }

  /** What every profile leaves out. */
  public static LeftOut ofAll(String key, String reason) {
    return new LeftOut(List.of(Profile.LOGS, Profile.TRACES, Profile.SEARCH), key, reason);
  }
}
