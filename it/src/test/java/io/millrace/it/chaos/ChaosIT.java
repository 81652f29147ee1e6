package io.millrace.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Nodes are killed, stopped, cut off and restarted while clients write, read and take snapshots;
 * {@link Checker} says whether what the clients were told can be true. Seconds in every build,
 * hours by command.
 *
 * <table>
 * <tr><td>{@code millrace.chaos.seconds}</td><td>for how long faults begin, 20</td></tr>
 * <tr><td>{@code millrace.chaos.seed}</td><td>of faults, times and operations, 1</td></tr>
 * <tr><td>{@code millrace.chaos.nodes}</td><td>3 or more, 3</td></tr>
 * <tr><td>{@code millrace.chaos.tree}</td><td>{@code millrace}, {@code stock}, or {@code upgrade}:
 * from stock to Millrace and back</td></tr>
 * <tr><td>{@code millrace.chaos.faults}</td><td>names of {@link FaultKind}, with commas</td></tr>
 * </table>
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChaosIT {
  private static final int DISK_MEGABYTES = 512;

  private final ChaosOptions options = ChaosOptions.of(System::getProperty);
  private final List<Path> trees = new ArrayList<>();

  /** Names and settings; stock gets the same but for what is ours. */
  private Map<String, String> indices() {
    String logs = options.ours() ? ",\"index.millrace.profile\":\"logs\"" : "";
    String segment = ",\"index.replication.type\":\"SEGMENT\"";
    String moving = ",\"index.unassigned.node_left.delayed_timeout\":\"0\"";
    Map<String, String> indices = new LinkedHashMap<>();
    indices.put(Healing.PREFIX + "document", "\"index.number_of_replicas\":1" + moving);
    indices.put(Healing.PREFIX + Checker.SEGMENT, "\"index.number_of_replicas\":2" + segment);
    indices.put(Healing.PREFIX + "document-logs", "\"index.number_of_replicas\":2" + logs);
    indices.put(
        Healing.PREFIX + Checker.SEGMENT + "-logs",
        "\"index.number_of_replicas\":1" + segment + moving + logs);
    return indices;
  }

  @Test
  void nothingAcknowledgedIsLostDoubledOrStale() throws Exception {
    List<FaultKind> kinds = new ArrayList<>(options.faults());
    Path shared = Files.createTempDirectory("millrace-chaos-");
    Optional<BoundedDisk> disk =
        kinds.contains(FaultKind.DISK) ? BoundedDisk.mount(DISK_MEGABYTES) : Optional.empty();
    List<Breakage> breakages = List.of();
    try {
      prepare(shared, kinds.contains(FaultKind.UPGRADE));
      if (kinds.contains(FaultKind.SLOW_DISK) || kinds.contains(FaultKind.CLOCK)) {
        breakages = Breakage.build(shared, options.nodes());
      }
      if (disk.isEmpty()) {
        without(kinds, FaultKind.DISK, "this process may not mount a file system");
      }
      if (breakages.isEmpty()) {
        without(kinds, FaultKind.SLOW_DISK, "it takes a C compiler and LD_PRELOAD");
        without(kinds, FaultKind.CLOCK, "it takes a C compiler and LD_PRELOAD");
      }
      run(shared, kinds, disk, breakages);
    } finally {
      Folders.remove(shared);
      if (disk.isPresent()) {
        disk.get().close();
      }
    }
  }

  /** A run that names its faults does not go without one of them. */
  private void without(List<FaultKind> kinds, FaultKind kind, String why) {
    if (kinds.remove(kind)) {
      String told = "no fault " + kind.label() + " on this machine: " + why;
      assertFalse(options.every(), told);
      System.out.println(told);
    }
  }

  /** Folders that every node's user may use. */
  private void prepare(Path shared, boolean upgrade) throws IOException {
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path repository = Files.createDirectory(shared.resolve("repository"));
    Files.setPosixFilePermissions(repository, PosixFilePermissions.fromString("rwxrwxrwx"));
    if (upgrade) {
      for (Tree each : List.of(Tree.STOCK, Tree.MILLRACE)) {
        Path copy = shared.resolve(each.name().toLowerCase(Locale.ROOT));
        Folders.copy(each.home(), copy);
        trees.add(copy);
      }
    } else {
      trees.add((options.tree().equals("stock") ? Tree.STOCK : Tree.MILLRACE).home());
    }
  }

  private void run(
      Path shared, List<FaultKind> kinds, Optional<BoundedDisk> disk, List<Breakage> breakages)
      throws Exception {
    Path repository = shared.resolve("repository");
    try (Network network = new Network()) {
      Cluster.Builder plan = Cluster.mixed();
      for (int i = 0; i < options.nodes(); i++) {
        plan.node(trees.getFirst());
      }
      plan.set("path.repo", repository.toString())
          .set("cluster.fault_detection.leader_check.timeout", "3s")
          .set("cluster.fault_detection.follower_check.timeout", "3s")
          .set("cluster.fault_detection.leader_check.retry_count", "2")
          .set("cluster.fault_detection.follower_check.retry_count", "2")
          .set("transport.connect_timeout", "3s")
          .publishing(network::proxy);
      for (int i = 0; i < breakages.size(); i++) {
        plan.env(i, breakages.get(i).environment());
      }
      disk.ifPresent(
          small -> plan.set(options.nodes() - 1, "path.data", small.folder().toString()));
      try (Cluster cluster = plan.start()) {
        network.between(cluster);
        Faults faults =
            new Faults(
                cluster, network, kinds, disk, breakages, trees, options.ours(), options.seed());
        ChaosRun run = new ChaosRun(cluster, faults);
        run.run(indices(), repository.toString(), options);
        tell(run);
      }
    }
  }

  private void tell(ChaosRun run) throws IOException {
    Path file = Path.of("target/chaos-" + options.tree() + "-" + options.seed() + ".txt");
    Files.write(file, run.report());
    String told =
        String.format(
            Locale.ROOT,
            "chaos on %s, seed %d, %d s: %s",
            options.tree(),
            options.seed(),
            options.seconds(),
            run.counts());
    System.out.println(told);
    assertEquals(
        List.of(),
        run.violations().stream().limit(5).toList(),
        () -> told + "\n" + String.join("\n", run.timeLine()) + "\nAll of it: " + file);
    assertEquals(Map.of(), run.oddAnswers());
    assertEquals(List.of(), run.missing(), () -> "the run proves nothing: " + told);
  }
}
