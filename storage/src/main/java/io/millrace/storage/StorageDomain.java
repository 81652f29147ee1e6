package io.millrace.storage;

import io.millrace.kernel.Feature;
import io.millrace.storage.columnarsource.ColumnarSourceFeature;
import io.millrace.storage.fileaccess.FileAccessFeature;
import io.millrace.storage.merge.MergeFeature;
import io.millrace.storage.multidisk.MultiDiskFeature;
import io.millrace.storage.offheapcache.OffHeapCacheFeature;
import io.millrace.storage.ordinalpostings.OrdinalPostingsFeature;
import io.millrace.storage.packedids.PackedIdsFeature;
import io.millrace.storage.zstandard.ZstandardFeature;
import java.util.List;

/** The features of this domain, in the order in which they are declared. */
public final class StorageDomain {
  private StorageDomain() {}

  /** New instances, one set per node. */
  public static List<Feature> features() {
    return List.of(
        new ZstandardFeature(),
        new OffHeapCacheFeature(),
        new MultiDiskFeature(),
        new FileAccessFeature(),
        new MergeFeature(),
        new ColumnarSourceFeature(),
        new PackedIdsFeature(),
        new OrdinalPostingsFeature());
  }
}
