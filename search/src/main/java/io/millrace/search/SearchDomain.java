package io.millrace.search;

import io.millrace.kernel.Feature;
import io.millrace.search.blocksampler.BlockSamplerFeature;
import io.millrace.search.columns.ColumnsFeature;
import io.millrace.search.deadline.DeadlineFeature;
import io.millrace.search.preference.PreferenceFeature;
import io.millrace.search.timepruning.TimePruningFeature;
import java.util.List;

/** The features of this domain, in the order in which they are declared. */
public final class SearchDomain {
  private SearchDomain() {}

  /** New instances, one set per node. */
  public static List<Feature> features() {
    return List.of(
        new PreferenceFeature(),
        new ColumnsFeature(),
        new BlockSamplerFeature(),
        new TimePruningFeature(),
        new DeadlineFeature());
  }
}
