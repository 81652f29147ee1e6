package io.millrace.guard;

import io.millrace.guard.breaker.RequestBreakerFeature;
import io.millrace.kernel.Feature;
import java.util.List;

/** The features of this domain, in the order in which they are declared. */
public final class GuardDomain {
  private GuardDomain() {}

  /** New instances, one set per node. */
  public static List<Feature> features() {
    return List.of(new RequestBreakerFeature());
  }
}
