package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The heap takes the memory that Lucene's files need in the operating system's cache. */
public final class HeapOverHalf extends Rule {
  private static final double MOST = 0.52;
  private static final long LARGEST = 31L << 30;

  public HeapOverHalf() {
    super(
        new About(
            "heap-over-half",
            Area.JVM,
            "The heap takes more than half of the memory",
            "the heaps of the nodes of one host add up to more than half of its memory (2 % tolerance)",
            "Lucene reads its files through the operating system's cache. What the heap takes is missing there, so searches"
                + " and merges read from disk, and network buffers and threads need memory outside of the heap as well.",
            "Elasticsearch guide, Heap size settings: no more than 50 % of the total memory",
            "more of the index stays in memory; the node is less likely to be killed for its memory"),
        Probe.NODES,
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    Map<String, List<Node>> hosts = new TreeMap<>();
    for (Node node : snapshot.nodes()) {
      hosts.computeIfAbsent(node.text("host"), host -> new ArrayList<>()).add(node);
    }
    Fix fix = Fix.advice("");
    for (List<Node> host : hosts.values()) {
      long memory = memory(host.getFirst());
      long heaps = host.stream().mapToLong(node -> node.info("jvm.mem.heap_max_in_bytes")).sum();
      if (memory <= 0 || heaps <= memory * MOST) {
        continue;
      }
      for (Node node : host) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(
                node.infoPath("jvm.mem.heap_max_in_bytes"),
                Units.size(node.info("jvm.mem.heap_max_in_bytes")));
      }
      diagnosis
          .seen(host.getFirst().statPath("os.mem.total_in_bytes"), Units.size(memory))
          .weigh(50 + 40 * ((double) heaps / memory - MOST));
      long half = Math.min(LARGEST, memory / 2 / host.size()) >> 30 << 30;
      fix =
          Fix.config(
              "jvm.options",
              JvmFlags.heapNow(host.getFirst()),
              JvmFlags.heap(half > 0 ? half : memory / 2 / host.size()));
    }
    return diagnosis.saying(
        "The heap of " + diagnosis.names() + " is more than half of the memory of its host.", fix);
  }

  /** Of the container, where it has a limit, else of the host. */
  private static long memory(Node node) {
    long host = node.stat("os.mem.total_in_bytes");
    String limit = Json.at(node.stats(), "os.cgroup.memory.limit_in_bytes").asText("");
    if (limit.matches("\\d{1,18}")) {
      long bytes = Long.parseLong(limit);
      return host > 0 ? Math.min(host, bytes) : bytes;
    }
    return host;
  }
}
