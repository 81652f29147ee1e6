package io.millrace.storage.columnarsource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.corpus.LogGenerator;
import io.millrace.storage.columnarsource.block.BlockBuilder;
import io.millrace.storage.damage.SegmentDamage;
import io.millrace.storage.damage.SegmentDamage.Outcome;
import io.millrace.storage.damage.SegmentFiles;
import io.millrace.storage.damage.StoredDocuments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

/**
 * Damages every file of a segment: the check that merges, recoveries and snapshots run must find
 * every flipped bit, and a read without that check must end in Lucene's own kind of error or in the
 * right documents: never in wrong ones, never in another exception, unless the damage is in the
 * file that Lucene's own reader reads ({@code .fdt}, the other stored fields).
 */
class ColumnarSourceDamageTest {
  private static final int DOCUMENTS = 2300;
  private final List<byte[]> documents = documents();

  private static List<byte[]> documents() {
    LogGenerator generator = new LogGenerator(5);
    Random random = new Random(5);
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      parts.add(Long.toString(random.nextLong(), 36) + Long.toString(random.nextLong(), 36));
    }
    List<byte[]> documents = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      String line = new String(generator.next(), StandardCharsets.UTF_8);
      String document =
          i % 500 == 7
              ? "not json " + i
              : line.substring(0, line.lastIndexOf('}'))
                  + ",\"long\":\"!"
                  + parts.get(random.nextInt(400))
                  + parts.get(random.nextInt(400))
                  + "\"}";
      documents.add(document.getBytes(StandardCharsets.UTF_8));
    }
    return documents;
  }

  private Map<String, byte[]> segment() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig();
      config.setCodec(Codec.forName(ColumnarSourceCodec.NAME));
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

  private SegmentDamage damage() throws IOException {
    return new SegmentDamage(segment(), new StoredDocuments(documents, 97));
  }

  @Test
  void flippedBits() throws IOException {
    StoredDocuments.flipBits(
        damage(),
        name -> name.endsWith(".msc") || name.endsWith(".msm") ? 700 : 60,
        EnumSet.of(Outcome.WRONG, Outcome.UNTIDY, Outcome.UNNAMED));
  }

  @Test
  void truncation() throws IOException {
    damage().cut(30);
  }

  /**
   * The first kilobyte of a block, where its counts, references and lengths are, and the header in
   * front of it: every bit but the one that makes its version the older one, by which all blocks
   * are read as well.
   */
  @Test
  void everyBitOfABlocksHead() throws IOException {
    SegmentDamage damage = damage();
    String name = damage.named(".msc");
    int version = 8 * (CodecUtil.headerLength(ColumnarSourceFormat.DATA) - 1);
    for (int bit = 0; bit < 8 * 300; bit++) {
      if (bit == version) {
        continue;
      }
      String what = name + " bit " + bit;
      assertEquals(
          Outcome.REFUSED, damage.read(name, damage.flipped(name, bit), false, what), what);
    }
  }

  /** Blocks whose checksum is right and whose content is not: the second line of defence. */
  @Test
  void forgedBlocks() throws IOException {
    SegmentDamage damage = damage();
    String name = damage.named(".msc");
    byte[] sound = damage.files().get(name);
    int start = CodecUtil.indexHeaderLength(ColumnarSourceFormat.DATA, "");
    int length = firstBlock(damage);
    Random random = new Random(8);
    for (int round = 0; round < 1500; round++) {
      byte[] damaged = sound.clone();
      int within = round < 700 ? Math.min(400, length - 4) : length - 4;
      damaged[start + random.nextInt(within)] = (byte) random.nextInt(256);
      int crc = BlockBuilder.checksum(damaged, start, length - 4);
      for (int i = 0; i < 4; i++) {
        damaged[start + length - 4 + i] = (byte) (crc >>> 8 * i);
      }
      // wrong documents are possible here, an exception of another kind is not: read() fails then
      Outcome outcome = damage.read(name, damaged, false, "forged block, round " + round);
      assertTrue(outcome != Outcome.UNTIDY && outcome != Outcome.UNNAMED, "round " + round);
    }
  }

  private static int firstBlock(SegmentDamage damage) throws IOException {
    int header = CodecUtil.indexHeaderLength(ColumnarSourceFormat.META, "");
    byte[] bytes = damage.files().get(damage.named(".msm"));
    ByteArrayDataInput in = new ByteArrayDataInput(bytes, header, bytes.length - header);
    in.readVInt();
    in.readVInt();
    in.readVInt();
    return (int) in.readVLong();
  }
}
