package io.millrace.write;

import io.millrace.kernel.Feature;
import io.millrace.write.bulkrouting.BulkRouting;
import io.millrace.write.keywordtruncation.KeywordTruncation;
import java.util.List;

/** The features of this domain, in the order in which they are declared. */
public final class WriteDomain {
  private WriteDomain() {}

  /** New instances, one set per node. */
  public static List<Feature> features() {
    return List.of(new BulkRouting(), new KeywordTruncation());
  }
}
