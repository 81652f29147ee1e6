package io.millrace.storage.packedids;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PackedIdsFeatureTest {
  private final PackedIdsFeature feature = new PackedIdsFeature();

  /** A changed name or number would make every existing segment unreadable. */
  @Test
  void whatIsOnDiskNeverChanges() {
    assertEquals("MillracePackedIds1050", PackedIdsPostingsFormat.NAME);
    assertEquals("MillracePackedIds1050", PackedIdsDocValuesFormat.NAME);
    assertEquals("PackedIdsPostings.width", PackedIdsPostingsFormat.WIDTH);
    assertEquals("PackedIdsDocValues.width", PackedIdsDocValuesFormat.WIDTH);
    assertEquals(16, HexTerms.MIN_WIDTH);
    assertEquals(128, HexTerms.MAX_WIDTH);
  }
}
