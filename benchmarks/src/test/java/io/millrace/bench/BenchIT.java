package io.millrace.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.bench.json.BenchJson;
import io.millrace.bench.run.BenchResult;
import io.millrace.bench.run.BenchResult.ScenarioResult;
import io.millrace.bench.run.BenchResult.SideResult;
import io.millrace.bench.scenario.Measure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One whole run on the assembled trees, small: does the tool measure, compare and report? */
class BenchIT {
  @Test
  void measuresComparesAndReports(@TempDir Path out) throws IOException {
    int exit =
        BenchMain.execute(
            "ingest",
            "--scenario=equal-settings",
            "--docs=5000",
            "--rounds=1",
            "--warm-up=1000",
            "--queries=60",
            "--heap=512m",
            "--port=" + freePair(),
            "--out=" + out);
    assertEquals(0, exit, "equal answers and every document found");
    BenchResult result =
        BenchJson.mapper().readValue(out.resolve("results.json").toFile(), BenchResult.class);
    ScenarioResult scenario = result.scenarios().getFirst();
    assertEquals(List.of("stock", "Millrace", "raw Lucene"), scenario.order());
    for (SideResult side : scenario.sides()) {
      assertEquals(null, side.unavailable(), side.label());
      List<Double> cpu = side.figures().get(Measure.CPU_PER_DOC);
      assertNotNull(cpu, side.label());
      assertTrue(cpu.getFirst() > 0, side.label());
      assertTrue(side.parts().getOrDefault("stored fields", 0L) > 0, side.label());
      assertTrue(side.parts().getOrDefault("positions", 0L) > 0, side.label());
    }
    assertTrue(scenario.answers().getFirst().compared() >= 50);
    assertEquals(0, scenario.answers().getFirst().different());
    assertEquals(2, scenario.goals().size());
    assertFalse(result.machine().isEmpty());
    assertTrue(Files.readString(out.resolve("report.html")).contains("<svg"));
    try (var work = Files.list(out.resolve("work"))) {
      assertEquals(List.of(), work.toList(), "nodes and bodies are removed");
    }
  }

  /**
   * A port whose next one is free, too; below the range that outgoing connections take theirs from,
   * because several nodes follow each other on it.
   */
  private static int freePair() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    for (int port = 21_000 + (int) (System.nanoTime() % 4000 & ~1); port < 29_000; port += 2) {
      try (ServerSocket one = new ServerSocket(port, 1, loopback);
          ServerSocket two = new ServerSocket(port + 1, 1, loopback)) {
        return Math.min(one.getLocalPort(), two.getLocalPort());
      } catch (IOException | IllegalArgumentException e) {
        continue; // the next one is taken
      }
    }
    throw new IOException("no two free ports in a row");
  }
}
