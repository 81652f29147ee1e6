package io.millrace.access;

import io.millrace.access.control.AccessControlFeature;
import io.millrace.access.tls.TlsFeature;
import io.millrace.kernel.Feature;
import java.util.List;

/** The features of this domain, in the order in which they are declared. */
public final class AccessDomain {
  private AccessDomain() {}

  /** New instances, one set per node. */
  public static List<Feature> features() {
    return List.of(new TlsFeature(), new AccessControlFeature());
  }
}
