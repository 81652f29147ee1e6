package io.millrace.bench.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexFilesTest {
  private static void write(Path folder, boolean compound) throws IOException {
    Files.createDirectories(folder);
    IndexWriterConfig config = new IndexWriterConfig().setUseCompoundFile(compound);
    try (Directory directory = new NIOFSDirectory(folder);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < 200; i++) {
        Document document = new Document();
        document.add(new TextField("text", "some words " + i, Field.Store.YES));
        document.add(new LongField("number", i, Field.Store.NO));
        writer.addDocument(document);
      }
    }
  }

  @Test
  void compoundFilesAreTakenApart(@TempDir Path root) throws IOException {
    write(root.resolve("0/index"), true);
    Map<String, Long> bytes = IndexFiles.byEnding(root);
    assertFalse(bytes.containsKey("cfs"));
    assertTrue(bytes.getOrDefault("fdt", 0L) > 0, bytes::toString);
    assertTrue(bytes.getOrDefault("kdd", 0L) > 0, bytes::toString);
    long onDisk;
    try (Stream<Path> files = Files.list(root.resolve("0/index"))) {
      onDisk =
          files
              .filter(file -> !file.endsWith("write.lock"))
              .mapToLong(file -> file.toFile().length())
              .sum();
    }
    assertEquals(onDisk, bytes.values().stream().mapToLong(Long::longValue).sum());
  }

  @Test
  void shardsAreAddedUp(@TempDir Path root) throws IOException {
    write(root.resolve("0/index"), false);
    Map<String, Long> one = IndexFiles.byEnding(root);
    write(root.resolve("1/index"), false);
    assertEquals(2 * one.getOrDefault("fdt", 0L), IndexFiles.byEnding(root).get("fdt"));
  }

  @Test
  void anIndexIsFoundByItsFolder(@TempDir Path root) throws IOException {
    Path index = Files.createDirectories(root.resolve("nodes/0/indices/uuid-1"));
    assertEquals(index, IndexFiles.find(root, "uuid-1"));
  }

  @Test
  void endingsHaveAMeaning() {
    assertEquals("stored fields", IndexFiles.part("fdt"));
    assertEquals("positions", IndexFiles.part("pos"));
    assertEquals("segment metadata", IndexFiles.part("si"));
    assertEquals(".xyz", IndexFiles.part("xyz"));
    assertEquals("segments", IndexFiles.ending("segments_4"));
    assertEquals("dvd", IndexFiles.ending("_0_Lucene90_0.dvd"));
  }
}
