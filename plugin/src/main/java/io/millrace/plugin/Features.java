package io.millrace.plugin;

import io.millrace.access.AccessDomain;
import io.millrace.cluster.ClusterDomain;
import io.millrace.guard.GuardDomain;
import io.millrace.kernel.Feature;
import io.millrace.observe.ObserveDomain;
import io.millrace.pipelines.PipelinesDomain;
import io.millrace.search.SearchDomain;
import io.millrace.storage.StorageDomain;
import io.millrace.write.WriteDomain;
import java.util.List;
import java.util.stream.Stream;

/** Every feature of this build: a plain, ordered list, so that what runs can be read here. */
public final class Features {
  private Features() {}

  /** New instances, one set per node. */
  public static List<Feature> all() {
    return Stream.of(
            WriteDomain.features(),
            StorageDomain.features(),
            GuardDomain.features(),
            ClusterDomain.features(),
            AccessDomain.features(),
            SearchDomain.features(),
            PipelinesDomain.features(),
            ObserveDomain.features())
        .flatMap(List::stream)
        .toList();
  }
}
