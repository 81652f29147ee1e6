package io.millrace.storage.zstandard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogByteSizeMergePolicy;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM that has Lucene but not this module: what it says of our segments, and the way back. */
class WithoutPluginTest {
  /** Runs in the other JVM: prints the number of documents and a checksum, or the error. */
  public static final class StockReader {
    private StockReader() {}

    public static void main(String[] args) {
      try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(Path.of(args[0])))) {
        System.out.println(checksum(reader));
      } catch (IOException | IllegalArgumentException e) {
        System.out.println(e);
      }
    }

    static String checksum(DirectoryReader reader) throws IOException {
      StoredFields stored = reader.storedFields();
      long sum = 0;
      for (int doc = 0; doc < reader.maxDoc(); doc++) {
        sum = 31 * sum + stored.document(doc).getBinaryValue("_source").utf8ToString().hashCode();
      }
      return reader.numDocs() + " documents, " + sum;
    }
  }

  private static String locationOf(Class<?> type) {
    return new File(
            java.net.URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .getPath();
  }

  private static String readElsewhere(Path index) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                locationOf(Codec.class) + File.pathSeparator + locationOf(WithoutPluginTest.class),
                StockReader.class.getName(),
                index.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(300, TimeUnit.SECONDS));
    return answer.trim();
  }

  @Test
  void namesTheMissingCodecAndReadsWhatCameBack(@TempDir Path index) throws Exception {
    List<byte[]> documents = LogDocuments.generate(500, 4);
    try (Directory directory = FSDirectory.open(index)) {
      try (IndexWriter writer =
          new IndexWriter(
              directory,
              new IndexWriterConfig()
                  .setCodec(ZstandardCodec.registered(ZstandardVariant.STANDARD)))) {
        for (byte[] source : documents) {
          Document document = new Document();
          document.add(new StoredField("_source", source));
          writer.addDocument(document);
        }
      }
      String refused = readElsewhere(index);
      assertTrue(refused.contains("Millrace1050Zstandard32k"), refused);
      assertTrue(refused.contains("does not exist"), refused);

      // the segment is compound (it was flushed): a policy that wants it otherwise rewrites it
      LogByteSizeMergePolicy policy = new LogByteSizeMergePolicy();
      policy.setNoCFSRatio(0);
      try (IndexWriter writer =
          new IndexWriter(
              directory,
              new IndexWriterConfig().setCodec(new Lucene104Codec()).setMergePolicy(policy))) {
        writer.forceMerge(1);
      }
      String expected;
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        expected = StockReader.checksum(reader);
      }
      assertTrue(expected.startsWith("500 documents"), expected);
      assertEquals(expected, readElsewhere(index));
    }
  }
}
