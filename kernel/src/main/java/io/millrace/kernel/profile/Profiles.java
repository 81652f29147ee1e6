package io.millrace.kernel.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.opensearch.common.settings.Settings;

/** The profiles of one node: what its features contributed, in the order in which they did. */
public final class Profiles {
  private final List<ProfileEntry> entries = new ArrayList<>();
  private final List<LeftOut> leftOut = new ArrayList<>();
  private volatile BooleanSupplier kept = () -> false;
  private volatile BooleanSupplier lacking = () -> false;

  /** Adds an entry; {@code ProfileHooks} refuses two for one setting of a profile. */
  public void add(ProfileEntry entry) {
    entries.add(entry);
  }

  /** What a profile sets, with reasons. */
  public List<ProfileEntry> of(Profile profile) {
    return entries.stream().filter(entry -> entry.profile() == profile).toList();
  }

  /** Adds what is left out; {@code ProfileHooks} refuses two for one setting. */
  public void add(LeftOut entry) {
    leftOut.add(entry);
  }

  /** What a profile does not set, with reasons. */
  public List<LeftOut> leftOut(Profile profile) {
    return leftOut.stream().filter(entry -> entry.profiles().contains(profile)).toList();
  }

  /**
   * What the profile of a new index adds to it. What a template or a request names is theirs, and a
   * null there takes an entry back.
   *
   * @param otherwise the profile where neither template nor request says anything of one
   */
  public Settings defaults(Settings templateAndRequest, Profile otherwise) {
    Settings.Builder out = Settings.builder();
    boolean said = templateAndRequest.keySet().contains(Profile.SETTING.getKey());
    Profile profile = said ? Profile.SETTING.get(templateAndRequest) : otherwise;
    if (!said && profile != Profile.NONE) {
      out.put(Profile.SETTING.getKey(), profile.key());
    }
    for (ProfileEntry entry : of(profile)) {
      String value =
          templateAndRequest.keySet().contains(entry.key())
              ? null
              : entry.now().apply(together(templateAndRequest, out));
      if (value != null) {
        out.put(entry.key(), value);
      }
    }
    return out.build();
  }

  private static Settings together(Settings templateAndRequest, Settings.Builder soFar) {
    return Settings.builder().put(soFar.build()).put(templateAndRequest).build();
  }

  /** Says who keeps {@code index.millrace.freshness} on this node, and whether it does now. */
  public void freshnessKept(BooleanSupplier now) {
    kept = now;
  }

  /** Whether a searched shard of this node is refreshed within its freshness. */
  public boolean freshnessKept() {
    return kept.getAsBoolean();
  }

  /** Says who knows whether a node of the cluster lacks the plugin. */
  public void lacking(BooleanSupplier now) {
    lacking = now;
  }

  /**
   * Whether a node of the cluster is known to lack the plugin: no index gets a profile unasked
   * then, because that node could not open it.
   */
  public boolean lacking() {
    return lacking.getAsBoolean();
  }
}
