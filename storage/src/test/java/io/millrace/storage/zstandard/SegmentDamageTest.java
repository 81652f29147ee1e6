package io.millrace.storage.zstandard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
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

  private enum Outcome {
    SOUND,
    REFUSED,
    UNTIDY,
    WRONG
  }

  /** Opens the index and reads every seventh document. */
  private Outcome read(Directory directory, boolean checkFirst, String what) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      if (checkFirst) {
        for (LeafReaderContext leaf : reader.leaves()) {
          leaf.reader().checkIntegrity();
        }
      }
      if (reader.maxDoc() != DOCUMENTS) {
        return Outcome.WRONG;
      }
      StoredFields stored = reader.storedFields();
      for (int i = 0; i < DOCUMENTS; i += 7) {
        Document document = stored.document(i);
        if (!Integer.toString(i).equals(document.get("_id"))
            || document.getBinaryValue("_source") == null
            || !Arrays.equals(documents.get(i), document.getBinaryValue("_source").bytes)) {
          return Outcome.WRONG;
        }
      }
      return Outcome.SOUND;
    } catch (CorruptIndexException
        | EOFException
        | IndexFormatTooNewException
        | IndexFormatTooOldException e) {
      return Outcome.REFUSED;
    } catch (RuntimeException | AssertionError e) {
      // Lucene's reader met a damaged structure around a block; never our own code
      if (e.getStackTrace()[0].getClassName().startsWith("io.millrace")) {
        return fail(what + " escaped our own checks", e);
      }
      return Outcome.UNTIDY;
    }
  }

  @ParameterizedTest
  @EnumSource(ZstandardVariant.class)
  void flippedBits(ZstandardVariant variant) throws IOException {
    Map<String, byte[]> files = segment(variant);
    Random random = new Random(3);
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    int reads = 0;
    for (String name : files.keySet()) {
      byte[] sound = files.get(name);
      int flips = Math.min(sound.length * 8, 250);
      for (int i = 0; i < flips; i++) {
        int bit = random.nextInt(sound.length * 8);
        byte[] damaged = sound.clone();
        damaged[bit / 8] ^= (byte) (1 << (bit % 8));
        String what = name + " bit " + bit;
        try (Directory directory = SegmentFiles.with(files, name, damaged)) {
          assertEquals(Outcome.REFUSED, read(directory, true, what), what);
          reads++;
          Outcome unchecked = read(directory, false, what);
          outcomes.merge(unchecked, 1, Integer::sum);
          if (unchecked == Outcome.WRONG || unchecked == Outcome.UNTIDY) {
            assertTrue(name.endsWith(".fdt"), what + " was " + unchecked);
          }
        }
      }
    }
    int escaped =
        outcomes.getOrDefault(Outcome.WRONG, 0) + outcomes.getOrDefault(Outcome.UNTIDY, 0);
    assertTrue(escaped <= reads / 100, outcomes.toString());
  }

  @ParameterizedTest
  @EnumSource(ZstandardVariant.class)
  void truncation(ZstandardVariant variant) throws IOException {
    Map<String, byte[]> files = segment(variant);
    for (String name : files.keySet()) {
      byte[] sound = files.get(name);
      for (int keep = 0; keep < sound.length; keep += Math.max(1, sound.length / 40)) {
        String what = name + " cut to " + keep;
        try (Directory directory = SegmentFiles.with(files, name, Arrays.copyOf(sound, keep))) {
          assertEquals(Outcome.REFUSED, read(directory, false, what), what);
        }
      }
    }
  }
}
