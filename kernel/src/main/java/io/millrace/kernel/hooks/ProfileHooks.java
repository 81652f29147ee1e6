package io.millrace.kernel.hooks;

import io.millrace.kernel.profile.LeftOut;
import io.millrace.kernel.profile.ProfileEntry;
import io.millrace.kernel.profile.Profiles;

/**
 * What an index gets for what it is for. Kept for the feature that applies it, so it needs no
 * adapter.
 */
public interface ProfileHooks extends HookRegistry.Holder {

  /**
   * A setting that new indices of a profile get, where neither template nor request names it.
   *
   * @throws IllegalArgumentException when another feature contributes to the same setting
   */
  default void profile(ProfileEntry entry) {
    Collector profiles = Collector.of(this);
    profiles.entries.add(entry, entry.profile().key() + " " + entry.key());
    profiles.profiles.add(entry);
  }

  /**
   * A setting that profiles do not give, with the reason.
   *
   * @throws IllegalArgumentException when another feature says so of the same setting
   */
  default void leftOutOfProfiles(LeftOut entry) {
    Collector profiles = Collector.of(this);
    profiles.leftOut.add(entry, entry.key());
    profiles.profiles.add(entry);
  }

  /** The profiles of this node; complete once every feature has declared. */
  default Profiles profiles() {
    return Collector.of(this).profiles;
  }

  /** What was declared. */
  final class Collector {
    private final Profiles profiles = new Profiles();
    private final Declarations<ProfileEntry> entries;
    private final Declarations<LeftOut> leftOut;

    private Collector(HookRegistry registry) {
      entries = registry.declarations("entry of the profile");
      leftOut = registry.declarations("setting that profiles leave out");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }
  }
}
