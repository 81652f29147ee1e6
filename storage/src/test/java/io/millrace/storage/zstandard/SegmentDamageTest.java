package io.millrace.storage.zstandard;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.damage.SegmentDamage;
import io.millrace.storage.damage.SegmentDamage.Outcome;
import io.millrace.storage.damage.SegmentFiles;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Damages every file of a segment: the check that merges, recoveries and snapshots run must find
 * every flipped bit, and a read without that check must end in Lucene's own kind of error or in the
 * right documents.
 *
 * <p>The one exception is stock's: a bit in Lucene's block header (see {@link
 * ZstandardStoredFieldsFormat}) may give another document or an unchecked exception from Lucene's
 * reader; the test bounds how many of the flips do.
 */
class SegmentDamageTest {
  private static final int DOCUMENTS = 400;
  private final List<byte[]> documents = LogDocuments.generate(DOCUMENTS, 5);

  private Map<String, byte[]> segment(ZstandardVariant variant) throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig();
      config.setCodec(Codec.forName(variant.codecName()));
      config.setUseCompoundFile(false);
      config.setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < DOCUMENTS; i++) {
          Document document = new Document();
          document.add(new StoredField("_id", Integer.toString(i)));
          document.add(new StoredField("_source", documents.get(i)));
          writer.addDocument(document);
        }
      }
      return SegmentFiles.of(directory);
    }
  }

  private SegmentDamage damage(ZstandardVariant variant) throws IOException {
    return new SegmentDamage(segment(variant), this::right);
  }

  /** Every seventh document. */
  private boolean right(DirectoryReader reader) throws IOException {
    if (reader.maxDoc() != DOCUMENTS) {
      return false;
    }
    StoredFields stored = reader.storedFields();
    for (int i = 0; i < DOCUMENTS; i += 7) {
      Document document = stored.document(i);
      if (!Integer.toString(i).equals(document.get("_id"))
          || document.getBinaryValue("_source") == null
          || !Arrays.equals(documents.get(i), document.getBinaryValue("_source").bytes)) {
        return false;
      }
    }
    return true;
  }

  @ParameterizedTest
  @EnumSource(ZstandardVariant.class)
  void flippedBits(ZstandardVariant variant) throws IOException {
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    damage(variant)
        .flipBits(
            name -> 250,
            (name, what, outcome) -> {
              outcomes.merge(outcome, 1, Integer::sum);
              if (outcome == Outcome.WRONG || outcome == Outcome.UNTIDY) {
                assertTrue(name.endsWith(".fdt"), what + " was " + outcome);
              }
            });
    int reads = outcomes.values().stream().mapToInt(Integer::intValue).sum();
    int escaped =
        outcomes.getOrDefault(Outcome.WRONG, 0) + outcomes.getOrDefault(Outcome.UNTIDY, 0);
    assertTrue(escaped <= reads / 100, outcomes.toString());
  }

  @ParameterizedTest
  @EnumSource(ZstandardVariant.class)
  void truncation(ZstandardVariant variant) throws IOException {
    damage(variant).cut(40);
  }
}
