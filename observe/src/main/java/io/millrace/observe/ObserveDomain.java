package io.millrace.observe;

import io.millrace.kernel.Feature;
import java.util.List;

/** The features of this domain, in the order in which they are declared. */
public final class ObserveDomain {
  private ObserveDomain() {}

  /** New instances, one set per node. */
  public static List<Feature> features() {
    return List.of();
  }
}
