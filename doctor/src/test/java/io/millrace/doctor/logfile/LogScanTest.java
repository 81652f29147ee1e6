package io.millrace.doctor.logfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.logfile.LogScan.Trouble;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogScanTest {
  /** One message of each kind, in the words of the servers. */
  private static final Map<Trouble, String> MESSAGES =
      new EnumMap<>(
          Map.of(
              Trouble.REJECTED,
              "[2026-11-21T10:00:00,001][DEBUG][o.o.a.b.TransportShardBulkAction] [n1] OpenSearchRejectedExecutionException: rejected execution of primary operation",
              Trouble.GC_OVERHEAD,
              "[2026-11-21T10:00:01,002][WARN ][o.o.m.j.JvmGcMonitorService] [n1] [gc][4711] overhead, spent [612ms] collecting in the last [1s]",
              Trouble.OUT_OF_MEMORY,
              "java.lang.OutOfMemoryError: Java heap space",
              Trouble.NODE_LEFT,
              "[2026-11-21T10:00:02,003][INFO ][o.o.c.s.MasterService] [n1] node-left[{n2}{x} reason: disconnected]",
              Trouble.NO_MANAGER,
              "[2026-11-21T10:00:03,004][WARN ][o.o.c.c.ClusterFormationFailureHelper] [n1] cluster-manager not discovered yet",
              Trouble.WATERMARK,
              "[2026-11-21T10:00:04,005][WARN ][o.o.c.r.a.DiskThresholdMonitor] [n1] flood stage disk watermark [95%] exceeded on [x][n1]",
              Trouble.OPEN_FILES,
              "Caused by: java.nio.file.FileSystemException: /data/_0.cfs: Too many open files",
              Trouble.CIRCUIT_BREAKER,
              "org.elasticsearch.common.breaker.CircuitBreakingException: [parent] Data too large",
              Trouble.SLOW_STATE,
              "[2026-11-21T10:00:05,006][WARN ][o.o.c.s.ClusterApplierService] [n1] cluster state applier task [x] took [31.1s], which is over [30s]",
              Trouble.THROTTLED,
              "[2026-11-21T10:00:06,007][INFO ][o.o.i.e.InternalEngine] [n1] [logs][0] now throttling indexing: numMergesInFlight=10, maxNumMerges=9"));

  @TempDir Path folder;

  private static byte[] zipped(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void eachKindIsCountedOnceInPlainAndInZippedFiles() throws IOException {
    assertEquals(Trouble.values().length, MESSAGES.size());
    String text =
        String.join("\n", MESSAGES.values())
            + "\n[2026-11-21T10:00:07,008][INFO ][o.o.n.Node] [n1] started\n";
    Path plain = Files.writeString(folder.resolve("a.log"), text);
    Path zip = Files.write(folder.resolve("b.log.gz"), zipped(text));
    LogScan scan = LogScan.read(List.of(plain, zip));
    assertEquals(2, scan.files());
    assertEquals(2L * (MESSAGES.size() + 1), scan.lines());
    MESSAGES.forEach((trouble, message) -> {
      assertEquals(2, scan.count(trouble), trouble::name);
      assertTrue(message.startsWith(scan.samples().get(trouble)), trouble::name);
    });
    assertTrue(scan.withoutSamples().samples().isEmpty());
    assertEquals(2, scan.withoutSamples().count(Trouble.THROTTLED));
  }

  @Test
  void whatIsNoTextIsReadWithoutFailing() throws IOException {
    byte[] bytes = new byte[4_000];
    new java.util.Random(7).nextBytes(bytes);
    bytes[0] = 0; // not the beginning of a gzip file
    LogScan scan = LogScan.read(List.of(Files.write(folder.resolve("core"), bytes)));
    assertEquals(Map.of(), scan.counts());
  }

  @Test
  void aFileThatCannotBeReadIsNamedWithTheReason() throws IOException {
    said(folder.resolve("none.log"), "there is no such file or folder");
    said(folder, "it is a folder");
    byte[] whole = zipped(String.join("\n", MESSAGES.values()));
    said(
        Files.write(folder.resolve("cut.gz"), Arrays.copyOf(whole, whole.length / 2)),
        "the gzip file ends in the middle");
    assertEquals(
        "cannot read a.log: no permission",
        TextFile.unreadable(Path.of("a.log"), new AccessDeniedException("a.log")).getMessage());
  }

  private static void said(Path file, String why) {
    ExpectedFailure failure =
        assertThrows(ExpectedFailure.class, () -> LogScan.read(List.of(file)));
    assertEquals(ExitCode.INPUT, failure.exitCode());
    assertEquals("cannot read " + file + ": " + why, failure.getMessage());
  }
}
