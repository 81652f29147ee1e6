package io.millrace.doctor.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.catalogue.Catalogue;
import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.check.Recorded;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.gc.GcSummary;
import io.millrace.doctor.kafka.KafkaFacts;
import io.millrace.doctor.logfile.LogScan;
import io.millrace.doctor.snapshot.Anonymiser;
import io.millrace.doctor.snapshot.Bundle;
import io.millrace.doctor.snapshot.Given;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that says a secret word wherever users may write one. */
class AnonymiserTest {
  @TempDir Path folder;

  private static Sick telling() {
    Properties client = new Properties();
    client.setProperty("bootstrap.servers", "secret-broker:9092");
    return Sick.cluster()
        .logs("index.lifecycle.name", "secret-policy")
        .logs("index.default_pipeline", "secret-pipeline")
        .logs("index.routing.allocation.require.box", "secret-box")
        .logs("index.refresh_interval", "1s")
        .clusterSetting("cluster.routing.allocation.exclude._name", "secret-1,secret-2")
        .clusterSetting("cluster.remote.secret-remote.seeds", "secret-host:9300")
        .info("settings/node.attr.rack", "secret-rack")
        .stat(
            "http/clients",
            List.of(
                Map.of("last_uri", "/secret-index/_search?q=secret", "x_opaque_id", "secret-app")))
        .stat("os/cgroup/cpu/control_group", "/kubepods/secret-pod")
        .info("jvm/input_arguments", List.of("-Xms8g", "-Dsecret=1", "-XX:HeapDumpPath=/secret"))
        .mapping(
            "{\"_meta\":{\"owner\":\"secret-team\"},\"properties\":{\"secret-field\":{\"type\":\"text\",\"fielddata\":true,\"analyzer\":\"secret-analyzer\",\"copy_to\":\"secret-copy\"},"
                + "\"nodes\":{\"properties\":{\"name\":{\"type\":\"keyword\"}}},\"indices\":{\"type\":\"keyword\"},\"host\":{\"type\":\"keyword\"},\"jvm\":{\"type\":\"keyword\"}}}")
        .shard("secret-closed-2026.11.20", 0, "p", "STARTED", 1, 1, "n1")
        .answer(
            Probe.PENDING,
            "{\"tasks\":[{\"source\":\"put-mapping [secret-index/x]\",\"time_in_queue_millis\":1}]}")
        .answer(
            Probe.TASKS,
            "{\"nodes\":{\"id1\":{\"name\":\"n1\",\"tasks\":{\"id1:7\":{\"action\":\"indices:data/read/search\",\"description\":\"secret\",\"running_time_in_nanos\":99000000000}}}}}")
        .missing(
            Probe.REPOSITORIES, "no permission: HTTP 403 no permissions for User [name=secret]")
        .given(
            new Given(
                List.of(
                    new GcSummary(
                        "/secret/gc.log", "G1", List.of(), 1, 1, 1, 1, 1, 9, 9, 9, 1, List.of())),
                new LogScan(
                    1,
                    9,
                    Map.of(LogScan.Trouble.REJECTED, 2L),
                    Map.of(LogScan.Trouble.REJECTED, "secret line")),
                new KafkaFacts(
                    Map.of("/secret/producer.properties", client),
                    List.of(new KafkaFacts.Lag("secret-group", "secret-topic", 0, 500_000)))));
  }

  @Test
  void nothingThatUsersNamedIsLeft() throws IOException {
    Snapshot hidden = Anonymiser.of(telling().snapshot());
    Path file = folder.resolve("b.json");
    Bundle.save(hidden, file);
    String bundle = Files.readString(file);
    assertFalse(bundle.contains("secret"), bundle);
    Examination examination = Examination.of(hidden, Catalogue.all());
    for (ReportFormat format : ReportFormat.values()) {
      String report = format.write(examination, "http://cluster");
      assertFalse(report.contains("secret"), report);
    }
  }

  @Test
  void theFindingsAreTheSame() {
    Snapshot plain = telling().snapshot();
    assertEquals(
        ids(plain), ids(Anonymiser.of(plain)), "fields called as keys of the answers change none");
    for (String id : List.of("refresh-interval", "text-fielddata", "kafka-lag")) {
      assertTrue(ids(plain).stream().anyMatch(f -> f.startsWith(id + " ")), ids(plain)::toString);
    }
    Recorded.all()
        .forEach(
            (name, snapshot) -> assertEquals(ids(snapshot), ids(Anonymiser.of(snapshot)), name));
  }

  private static List<String> ids(Snapshot snapshot) {
    return Examination.of(snapshot, Catalogue.all()).findings().stream()
        .map(finding -> finding.check().id() + " " + finding.severity())
        .toList();
  }
}
