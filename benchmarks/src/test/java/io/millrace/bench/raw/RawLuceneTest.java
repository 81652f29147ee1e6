package io.millrace.bench.raw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.workload.BulkFile;
import io.millrace.bench.workload.WorkloadOptions;
import io.millrace.bench.workload.Workloads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RawLuceneTest {
  @Test
  void aDocumentHasTheFieldsThatOpenSearchWrites() throws Exception {
    Map<String, RawFieldWriter> fields =
        DocumentWriter.compile(
            BenchJson.parse(
                ("{\"properties\":{\"@timestamp\":{\"type\":\"date\"},\"host\":{\"type\":\"keyword\"},"
                        + "\"n\":{\"properties\":{\"ok\":{\"type\":\"boolean\"}}},\"ip\":{\"type\":\"ip\"}}}")
                    .getBytes(StandardCharsets.UTF_8)));
    Document document =
        new DocumentWriter(new JsonFactory(), fields)
            .write(
                "{\"@timestamp\":\"2024-01-01T00:00:00.000Z\",\"host\":[\"a\",\"b\"],\"n\":{\"ok\":true},\"ip\":\"10.0.0.1\",\"other\":1,\"none\":null}"
                    .getBytes(StandardCharsets.UTF_8),
                new BytesRef("id"),
                7);
    List<String> names = document.getFields().stream().map(IndexableField::name).toList();
    for (String name :
        List.of(
            "_source", "_id", "_seq_no", "_primary_term", "_version", "@timestamp", "n.ok", "ip")) {
      assertTrue(names.contains(name), name);
    }
    assertEquals(4, names.stream().filter("host"::equals).count(), "two values, two fields each");
    assertEquals(0, names.stream().filter("other"::equals).count());
  }

  @Test
  void unknownTypesAreNamed() {
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> RawFieldWriter.of("geo_shape"))
            .getMessage()
            .contains("geo_shape"));
  }

  @Test
  void theMeasuredIndexHoldsEveryDocument(@TempDir Path folder) throws Exception {
    Path bodies = folder.resolve("bodies");
    BulkFile.write(
            bodies,
            Workloads.logs().documents().open(new WorkloadOptions(null, 7)),
            500,
            100,
            done -> {})
        .close();
    Path mapping = folder.resolve("mapping.json");
    Files.write(mapping, BenchJson.bytes(Workloads.logs().mapping()));
    Path index = folder.resolve("index");
    RawLuceneMain.main(
        new String[] {
          mapping.toString(), bodies.toString(), "1", "5", "100", "2", "16", index.toString()
        });
    try (DirectoryReader reader =
        DirectoryReader.open(new NIOFSDirectory(index.resolve("measured")))) {
      assertEquals(500, reader.numDocs());
      assertTrue(MultiTerms.getTerms(reader, "message") != null);
      assertEquals(500, MultiTerms.getTerms(reader, "_id").getDocCount());
    }
    assertEquals(500, RawLuceneMain.sources(bodies, 10_000).length);
    assertEquals(3, RawLuceneMain.sources(bodies, 3).length);
  }
}
