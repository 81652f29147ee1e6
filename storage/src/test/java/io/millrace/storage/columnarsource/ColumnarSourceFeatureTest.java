package io.millrace.storage.columnarsource;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.storage.columnarsource.column.TemplateEncoder;
import io.millrace.storage.columnarsource.patch.PatchEncoder;
import io.millrace.storage.columnarsource.segment.SegmentDictionary;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ColumnarSourceFeatureTest {
  private final ColumnarSourceFeature feature = new ColumnarSourceFeature();

  /** A changed name or number would make every existing segment unreadable. */
  @Test
  void whatIsOnDiskNeverChanges() {
    assertEquals("Millrace1050ColumnarSource", ColumnarSourceCodec.NAME);
    assertEquals("ColumnarSourceFormat.others", ColumnarSourceFormat.OTHERS_KEY);
    assertEquals("MillraceSourceColumns", ColumnarSourceFormat.DATA);
    assertEquals("MillraceSourceColumnsMeta", ColumnarSourceFormat.META);
    assertEquals(0, ColumnarSourceFormat.FIRST_VERSION);
    assertEquals(1, ColumnarSourceFormat.VERSION);
    assertEquals(0, ColumnarSourceFormat.META_FIRST_VERSION);
    assertEquals(1, ColumnarSourceFormat.META_VERSION);
    assertEquals("msc", ColumnarSourceFormat.DATA_EXTENSION);
    assertEquals("msm", ColumnarSourceFormat.META_EXTENSION);
    assertEquals(8, TemplateEncoder.OWN_COLUMNS);
    assertEquals(0, SegmentDictionary.ABSENT);
    assertEquals(1, SegmentDictionary.RAW);
    assertEquals(2, SegmentDictionary.FIRST_SHAPE);
    assertEquals("_recovery_source", ColumnarSourceFormat.RECOVERY);
    assertEquals(0, PatchEncoder.VERBATIM);
    assertEquals(1, PatchEncoder.PATCH);
  }

  @Test
  void metrics() {
    assertEquals(
        Set.of(
            "documents",
            "raw_documents",
            "plain",
            "stored",
            "blocks_copied",
            "blocks_read",
            "partial_documents",
            "damaged_blocks",
            "open_compressors"),
        feature.metrics().stream().map(metric -> metric.name()).collect(Collectors.toSet()));
  }
}
