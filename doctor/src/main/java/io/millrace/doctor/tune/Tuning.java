package io.millrace.doctor.tune;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One setting that suits a use.
 *
 * @param key of the index, in full
 * @param value what to set; null takes the key back, so that the default holds
 * @param otherwise what holds where the key is not set, for people
 * @param reason why
 * @param when what an index has to be for it
 * @param fits whether what is set already is as good; asked with null where nothing is set
 */
public record Tuning(
    String key,
    @Nullable String value,
    String otherwise,
    String reason,
    When when,
    Predicate<@Nullable String> fits) {
  /** What an index has to be for a setting to be given to it. */
  public enum When {
    /** Open: nobody notices. */
    OPEN,
    /** Closed: no writes and no searches meanwhile. */
    CLOSED,
    /** Not there yet: a template gives it. */
    NEW
  }
}
