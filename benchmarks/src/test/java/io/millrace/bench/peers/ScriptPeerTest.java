package io.millrace.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.bench.peers.PeerSearch.Kind;
import io.millrace.bench.term.BenchFailure;
import io.millrace.bench.workload.BulkFile;
import io.millrace.bench.workload.Document;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A script that keeps documents in a list, over the real {@code peer.py}. */
class ScriptPeerTest {
  private static final String SCRIPT =
      """
      import json
      import sys

      sys.path.insert(0, sys.argv[2])
      from peer import lines, serve

      class List:
          version = "list 1"

          def load(self, file):
              self.all = [json.loads(line) for batch in lines(file, 2) for line in batch]

          def merge(self):
              raise OSError("no room")

          def matching(self, search):
              return [one for one in self.all if search.text in one["message"]]

          def rows(self, search):
              return self.matching(search)[: search.most]

          def counts(self, search):
              yield {"start": 600000, "level": "INFO", "documents": len(self.all)}
              yield {"start": 1200000, "level": "INFO", "documents": 0}

          def hits(self, search):
              return len(self.matching(search))

      serve(List())
      """;

  @TempDir Path folder;

  private Peer start() throws IOException {
    Path script = Files.writeString(folder.resolve("list.py"), SCRIPT);
    Path scripts = Path.of("peers").toAbsolutePath();
    return ScriptPeer.side("list", Path.of("python3"), script, scripts.toString())
        .starter()
        .start(folder.resolve("home"));
  }

  private BulkFile bulks() throws IOException {
    Stream<Document> documents =
        Stream.iterate(0, i -> i + 1)
            .map(i ->
                "{\"@timestamp\":\"1970-01-01T00:00:0" + i + "Z\",\"message\":\"line " + i + "\"}")
            .map(text -> new Document(null, text.getBytes(StandardCharsets.UTF_8)));
    return BulkFile.write(folder.resolve("bulks"), documents.iterator(), 5, 2, done -> {});
  }

  @Test
  void loadsAndAnswers() throws IOException {
    Path lines = folder.resolve("lines");
    try (BulkFile bulks = bulks();
        Peer peer = start()) {
      bulks.writeSources(lines);
      assertEquals("list 1", peer.version());
      peer.load(new Peer.Documents(bulks, lines));
      PeerSearch line = new PeerSearch(Kind.WORD, "line", 0, 0);
      assertEquals(List.of(4000L, 3000L, 2000L, 1000L, 0L), peer.ask(line).times());
      assertEquals(5, peer.hits(line));
      assertEquals(1, peer.hits(new PeerSearch(Kind.WORD, "line 3", 0, 0)));
      assertEquals(Map.of("600000 INFO", 5L), peer.ask(PeerSearch.counts(0, 1_000_000)).counts());
    }
  }

  @Test
  void whatFailsIsToldInTheScriptsWords() throws IOException {
    try (Peer peer = start()) {
      BenchFailure failure = assertThrows(BenchFailure.class, peer::merge);
      assertTrue(String.valueOf(failure.getMessage()).contains("no room"), failure::toString);
    }
  }

  @Test
  void aLineOfABulkIsADocument() throws IOException {
    try (BulkFile bulks = bulks()) {
      assertEquals(3, bulks.bulks());
      assertEquals(
          "{\"@timestamp\":\"1970-01-01T00:00:04Z\",\"message\":\"line 4\"}\n",
          new String(bulks.sources(2), StandardCharsets.UTF_8));
    }
  }
}
