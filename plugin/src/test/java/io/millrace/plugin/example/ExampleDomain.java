package io.millrace.plugin.example;

import io.millrace.kernel.Feature;
import io.millrace.storage.zstandard.ZstandardFeature;
import io.millrace.write.profiles.ProfilesFeature;
import java.util.List;

/** A domain's list with the example in it, and with what the example builds on. */
public final class ExampleDomain {
  private ExampleDomain() {}

  /** New instances, one set per node. */
  public static List<Feature> features() {
    return List.of(
        new ZstandardFeature(), // the codecs that a layer is built over
        new ProfilesFeature(), // the profile that an entry belongs to
        new SeverityFeature());
  }
}
