package io.millrace.storage.columnarsource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.corpus.LogGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

/** Every document comes back byte for byte, whatever it is. */
class ColumnarSourceFuzz {
  private static final long SEED = Long.getLong("millrace.fuzz.seed", 20261121L);
  private static final int ROUNDS = Integer.getInteger("millrace.fuzz.rounds", 12);

  static void write(Directory directory, IndexWriterConfig config, List<byte[]> documents)
      throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < documents.size(); i++) {
        Document document = new Document();
        document.add(new StoredField("_id", Integer.toString(i)));
        if (documents.get(i) != null) {
          document.add(new StoredField("_source", documents.get(i)));
        }
        writer.addDocument(document);
      }
    }
  }

  static void assertDocuments(Directory directory, List<byte[]> documents, Random random)
      throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(documents.size(), reader.maxDoc());
      StoredFields stored = reader.storedFields();
      for (int i = 0; i < documents.size(); i++) {
        check(stored, i, documents.get(i));
      }
      for (int i = 0; i < Math.min(500, documents.size()); i++) {
        int doc = random.nextInt(documents.size());
        check(stored, doc, documents.get(doc));
      }
    }
  }

  private static void check(StoredFields stored, int doc, byte[] expected) throws IOException {
    Document document = stored.document(doc);
    assertEquals(Integer.toString(doc), document.get("_id"));
    BytesRef value = document.getBinaryValue("_source");
    if (expected == null) {
      assertNull(value);
      return;
    }
    byte[] bytes = new byte[value.length];
    System.arraycopy(value.bytes, value.offset, bytes, 0, value.length);
    assertArrayEquals(expected, bytes, () -> "document " + doc + ": " + new String(expected));
  }

  private static void roundTrip(List<byte[]> documents, Random random) throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig().setCodec(new ColumnarSourceCodec());
      write(directory, config, documents);
      assertDocuments(directory, documents, random);
    }
  }

  @Test
  void logs() throws IOException {
    LogGenerator generator = new LogGenerator(SEED);
    List<byte[]> documents = new ArrayList<>();
    for (int i = 0; i < 9000; i++) {
      documents.add(generator.next());
    }
    roundTrip(documents, new Random(SEED));
  }

  @Test
  void anyJson() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(SEED + round);
      RandomSources sources = new RandomSources(random);
      List<byte[]> documents = new ArrayList<>();
      int count = 1 + random.nextInt(3000);
      for (int i = 0; i < count; i++) {
        documents.add(sources.next());
      }
      roundTrip(documents, random);
    }
  }
}
