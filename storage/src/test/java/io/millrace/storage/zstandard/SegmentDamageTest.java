package io.millrace.storage.zstandard;

import io.millrace.storage.damage.SegmentDamage;
import io.millrace.storage.damage.SegmentDamage.Outcome;
import io.millrace.storage.damage.SegmentFiles;
import io.millrace.storage.damage.StoredDocuments;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
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
    return new SegmentDamage(segment(variant), new StoredDocuments(documents, 7));
  }

  @ParameterizedTest
  @EnumSource(ZstandardVariant.class)
  void flippedBits(ZstandardVariant variant) throws IOException {
    StoredDocuments.flipBits(
        damage(variant), name -> 250, EnumSet.of(Outcome.WRONG, Outcome.UNTIDY));
  }

  @ParameterizedTest
  @EnumSource(ZstandardVariant.class)
  void truncation(ZstandardVariant variant) throws IOException {
    damage(variant).cut(40);
  }
}
