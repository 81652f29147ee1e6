package io.millrace.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.storage.columnarsource.ColumnarSourceFeature;
import io.millrace.storage.packedids.PackedIdsFeature;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.test.IndexSettingsModule;

/** What segments hold does not depend on the order of this domain's list. */
class CodecLayersTest {
  private static IndexSettings index(boolean columns, boolean packed) {
    return IndexSettingsModule.newIndexSettings(
        "index",
        Settings.builder()
            .put(ColumnarSourceFeature.INDEX_ENABLED.getKey(), columns)
            .put(PackedIdsFeature.INDEX_ENABLED.getKey(), packed)
            .build());
  }

  /** Each name with what its codec is built of, as far as formats tell. */
  private static Map<String, String> codecs(List<Feature> features, IndexSettings index) {
    Map<String, String> described = new TreeMap<>();
    new FeaturePlugin(features) {}.getAdditionalCodecs(index)
        .orElseThrow()
        .getCodecs(null, index, Lucene104Codec::new)
        .forEach((name, codec) -> described.put(name, describe(codec)));
    return described;
  }

  private static String describe(Codec codec) {
    return codec.getName()
        + " "
        + codec.storedFieldsFormat()
        + " "
        + codec.postingsFormat().getClass().getName()
        + " "
        + codec.docValuesFormat().getClass().getName();
  }

  @Test
  void orderOfTheListDecidesNothing() {
    Random random = new Random(7);
    for (boolean columns : new boolean[] {false, true}) {
      for (boolean packed : new boolean[] {false, true}) {
        IndexSettings index = index(columns, packed);
        Map<String, String> expected = codecs(StorageDomain.features(), index);
        assertEquals(3, expected.size());
        expected
            .values()
            .forEach(described -> {
              assertEquals(columns, described.startsWith("Millrace1050ColumnarSource "), described);
              assertEquals(packed, described.contains("PackedIdsCodec$Postings"), described);
              assertEquals(packed, described.contains("PackedIdsCodec$Values"), described);
              assertEquals(true, described.contains("level="), described);
            });
        for (int i = 0; i < 20; i++) {
          List<Feature> shuffled = new ArrayList<>(StorageDomain.features());
          Collections.shuffle(shuffled, random);
          assertEquals(expected, codecs(shuffled, index), shuffled.toString());
        }
      }
    }
  }
}
