package io.millrace.bench.workload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.term.BenchFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadsTest {
  private static final WorkloadOptions OPTIONS = new WorkloadOptions(null, 7);

  private static List<Workload> all() {
    return List.of(Workloads.logs(), Workloads.ownIds(), Workloads.wide(), Workloads.storm());
  }

  @Test
  void everyOpeningGivesTheSameDocuments() {
    for (Workload workload : all()) {
      Iterator<Document> one = workload.documents().open(OPTIONS);
      Iterator<Document> two = workload.documents().open(OPTIONS);
      for (int i = 0; i < 300; i++) {
        Document first = one.next();
        Document second = two.next();
        assertArrayEquals(first.source(), second.source(), workload.name());
        assertEquals(first.id(), second.id());
      }
    }
  }

  @Test
  void theOrderFieldsTellAnyTwoDocumentsApart() {
    for (Workload workload : all()) {
      Iterator<Document> documents = workload.documents().open(OPTIONS);
      Set<String> keys = new HashSet<>();
      int sent = 2000;
      for (int i = 0; i < sent; i++) {
        JsonNode source = BenchJson.parse(documents.next().source());
        keys.add(BenchJson.string(workload.order().stream().map(source::path).toList()));
      }
      assertEquals(workload.distinct().applyAsLong(sent), keys.size(), workload.name());
    }
  }

  @Test
  void aTenthOfOwnIdsIsSentTwice() {
    Iterator<Document> documents = Workloads.ownIds().documents().open(OPTIONS);
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 12_345; i++) {
      String id = documents.next().id();
      assertTrue(id != null && id.length() == 32);
      ids.add(id);
    }
    assertEquals(ResentDocuments.distinct(12_345, 10), ids.size());
    assertEquals(900, ResentDocuments.distinct(1000, 10));
    assertEquals(955, ResentDocuments.distinct(1055, 10));
    assertEquals(990, ResentDocuments.distinct(1099, 10));
  }

  @Test
  void everyDocumentOfTheStormBringsANewField() {
    Iterator<Document> documents = Workloads.storm().documents().open(OPTIONS);
    Set<String> names = new HashSet<>();
    int count = StormDocuments.BULKS * StormDocuments.PER_BULK;
    for (int i = 0; i < count; i++) {
      BenchJson.parse(documents.next().source()).fieldNames().forEachRemaining(names::add);
    }
    assertEquals(count + 1, names.size());
    assertTrue(names.size() < 1000, "index.mapping.total_fields.limit is 1000");
  }

  @Test
  void bulkFilesGiveBackWhatWasWritten(@TempDir Path folder) throws IOException {
    Iterator<Document> documents = Workloads.logs().documents().open(OPTIONS);
    Iterator<Document> again = Workloads.logs().documents().open(OPTIONS);
    try (BulkFile file = BulkFile.write(folder.resolve("bodies"), documents, 25, 10, done -> {})) {
      assertEquals(3, file.bulks());
      assertEquals(25, file.documents());
      assertEquals(15, file.documents(1, 3));
      String[] lines = new String(file.body(2), StandardCharsets.UTF_8).split("\n");
      assertEquals(10, lines.length);
      for (int i = 0; i < 20; i++) {
        again.next();
      }
      assertEquals("{\"index\":{}}", lines[0]);
      assertEquals(new String(again.next().source(), StandardCharsets.UTF_8), lines[1]);
      assertEquals(25, file.sample(1000).size());
      long bytes = 0;
      for (int i = 0; i < file.bulks(); i++) {
        bytes += file.body(i).length;
      }
      assertEquals(file.bytes(), bytes);
    }
  }

  @Test
  void aFolderWithoutLogsIsAClearError(@TempDir Path folder) {
    BenchFailure failure =
        assertThrows(
            BenchFailure.class,
            () -> Workloads.logs().documents().open(new WorkloadOptions(folder, 7)));
    assertTrue(failure.getMessage().startsWith("--corpus: "), failure.getMessage());
  }
}
