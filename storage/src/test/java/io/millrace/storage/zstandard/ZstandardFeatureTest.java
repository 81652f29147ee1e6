package io.millrace.storage.zstandard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.engine.EngineConfig;

class ZstandardFeatureTest {
  private final ZstandardFeature feature = new ZstandardFeature();

  @Test
  void levelsAndBlocksOfTheVariants() {
    assertEquals(3, ZstandardVariant.STANDARD.defaultLevel());
    assertEquals(3, ZstandardVariant.SMALL.defaultLevel());
    assertEquals(1, ZstandardVariant.ARCHIVE.defaultLevel());
    assertEquals(32 * 1024, ZstandardVariant.STANDARD.blockLength());
    assertEquals(16 * 1024, ZstandardVariant.SMALL.blockLength());
    assertEquals(128 * 1024, ZstandardVariant.ARCHIVE.blockLength());
  }

  @Test
  void indexCodecAcceptsTheNamesAndALevel() {
    for (ZstandardVariant variant : ZstandardVariant.values()) {
      Settings settings = Settings.builder().put("index.codec", variant.alias()).build();
      assertEquals(variant.alias(), EngineConfig.INDEX_CODEC_SETTING.get(settings));
      assertEquals(variant.defaultLevel(), variant.level(settings));
      assertTrue(ZstandardFeature.isOurs(variant.alias()));
      assertTrue(
          ZstandardCodec.registered(variant)
              .supports(EngineConfig.INDEX_CODEC_COMPRESSION_LEVEL_SETTING));
      assertFalse(ZstandardCodec.registered(variant).supports(EngineConfig.INDEX_CODEC_SETTING));
      Settings six =
          Settings.builder().put(settings).put("index.codec.compression_level", 6).build();
      assertEquals(6, variant.level(six));
    }
    assertFalse(ZstandardFeature.isOurs("default"));
    assertFalse(ZstandardFeature.isOurs("best_compression"));
    for (int level : new int[] {0, 7}) {
      assertThrows(
          IllegalArgumentException.class,
          () ->
              ZstandardCodec.registered(ZstandardVariant.STANDARD)
                  .over(new Lucene104Codec(), level));
    }
  }

  /** A changed name would make every existing segment unreadable. */
  @Test
  void namesOnDiskNeverChange() {
    assertEquals(
        Set.of(
            "Millrace1050Zstandard16k", "Millrace1050Zstandard32k", "Millrace1050ZstandardArchive"),
        java.util.Arrays.stream(ZstandardVariant.values())
            .map(ZstandardVariant::codecName)
            .collect(Collectors.toCollection(TreeSet::new)));
    assertEquals("ZstandardStoredFieldsFormat.level", ZstandardStoredFieldsFormat.LEVEL_KEY);
  }

  @Test
  void metricsAreLabelledByCodec() {
    var in =
        feature.metrics().stream()
            .filter(metric -> metric.name().equals("compressed_in"))
            .findFirst()
            .orElseThrow();
    assertEquals(3, in.samples().get().size());
    assertEquals(
        Set.of("zstandard", "zstandard_16k", "zstandard_archive"),
        in.samples().get().stream()
            .map(sample -> sample.labels().get("codec"))
            .collect(Collectors.toSet()));
  }

  @Test
  void theNativeLibraryWorksHere() {
    assertNull(ZstandardLibrary.problem());
    assertTrue(ZstandardLibrary.explain("x").contains("OPENSEARCH_TMPDIR"));
  }

  @Test
  void withoutTheLibraryASegmentIsRefusedButNotCalledCorrupt() throws IOException {
    ZstandardVariant variant = ZstandardVariant.STANDARD;
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer =
          new IndexWriter(
              directory,
              new IndexWriterConfig()
                  .setUseCompoundFile(false)
                  .setCodec(ZstandardCodec.registered(variant)))) {
        Document document = new Document();
        document.add(new StoredField("f", "x"));
        writer.addDocument(document);
      }
      ZstandardStoredFieldsFormat without =
          new ZstandardStoredFieldsFormat(variant, new ZstandardCounters(), () -> "it is missing");
      var segment = SegmentInfos.readLatestCommit(directory).info(0).info;
      IOException e =
          assertThrows(
              IOException.class,
              () -> without.fieldsReader(directory, segment, FieldInfos.EMPTY, IOContext.DEFAULT));
      assertFalse(e instanceof CorruptIndexException);
      assertTrue(e.getMessage().contains("zstandard"), e.getMessage());
      assertTrue(e.getMessage().contains("it is missing"), e.getMessage());
    }
  }
}
