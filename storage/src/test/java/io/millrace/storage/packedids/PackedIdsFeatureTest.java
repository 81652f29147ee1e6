package io.millrace.storage.packedids;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;

class PackedIdsFeatureTest {
  private final PackedIdsFeature feature = new PackedIdsFeature();

  @Test
  void defaults() {
    assertEquals("storage.packed-ids", feature.id());
    assertEquals("millrace.storage.packed_ids.enabled", feature.enabled().setting().getKey());
    assertTrue(feature.enabled().setting().getDefault(Settings.EMPTY));
    assertTrue(feature.enabled().setting().getProperties().contains(Property.Dynamic));
    assertEquals(1, feature.knobs().size());
    var knob = feature.knobs().getFirst().setting();
    assertEquals("index.millrace.packed_ids.enabled", knob.getKey());
    assertEquals(false, knob.getDefault(Settings.EMPTY));
    assertTrue(knob.getProperties().contains(Property.Final));
    assertFalse(knob.isDynamic());
  }

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
