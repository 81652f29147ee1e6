package io.millrace.it.chaos;

import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.http.JsonHttp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** One run: indices, clients, faults, and the check at the end. */
final class ChaosRun {
  private static final int CLIENTS_FOR_AN_INDEX = 3;

  private final Cluster cluster;
  private final Windows windows = new Windows();
  private final Histories histories = new Histories();
  private final AtomicBoolean ended = new AtomicBoolean();
  private final ConcurrentMap<String, String> odd = RegisterClient.oddAnswers();
  private final List<Violation> violations = new ArrayList<>();
  private final List<Violation> excused = new ArrayList<>();
  private final RunEvidence evidence = new RunEvidence();
  private final List<Appended> appended = new ArrayList<>();
  private final long origin = System.nanoTime();
  private final Nemesis nemesis;
  private String counts = "";

  ChaosRun(Cluster cluster, Faults faults) {
    this.cluster = cluster;
    this.nemesis = new Nemesis(new Healing(cluster), faults, windows, origin);
  }

  /**
   * Runs.
   *
   * @param indices names and settings; each has one shard
   * @param repository where every node may write snapshots
   */
  void run(Map<String, String> indices, String repository, ChaosOptions options)
      throws InterruptedException {
    long seed = options.seed();
    JsonHttp http = cluster.http();
    indices.forEach((name, settings) ->
        http.put(
                "/" + name,
                "{\"settings\":{\"index.number_of_shards\":1,"
                    + settings
                    + "},\"mappings\":"
                    + ValueDocument.MAPPING
                    + "}")
            .ok());
    Snapshots.register(http, repository);
    cluster.awaitGreen();
    try (Doors doors = new Doors(cluster)) {
      indices
          .keySet()
          .forEach(name ->
              appended.add(
                  new Appended(name, doors, histories, seed + name.hashCode(), ended::get)));
      Snapshots snapshots = new Snapshots(cluster, histories, appended, windows, seed, ended::get);
      underFaults(clients(doors, snapshots, seed), options);
      violations.addAll(snapshots.violations());
      excused.addAll(snapshots.excused());
      counts = snapshots.counts();
      if (options.every()) {
        evidence.happened("snapshots restored and compared", snapshots.compared());
      }
    }
    if (violations.stream().noneMatch(v -> v.kind() == Violation.Kind.NOT_HEALED)) {
      new Healing(cluster).quiet();
      FinalReads reads = new FinalReads(cluster, histories);
      appended.forEach(reads::read);
      violations.addAll(reads.violations());
    }
    check();
  }

  private List<Runnable> clients(Doors doors, Snapshots snapshots, long seed) {
    List<Runnable> clients = new ArrayList<>(List.of(snapshots));
    for (Appended index : appended) {
      clients.add(index);
      ActiveKeys keys = new ActiveKeys(index.index());
      for (int i = 0; i < CLIENTS_FOR_AN_INDEX; i++) {
        long own = seed * 31 + index.index().hashCode() + i;
        clients.add(new RegisterClient(doors, histories, keys, own, ended::get, odd));
      }
    }
    return clients;
  }

  private void underFaults(List<Runnable> clients, ChaosOptions options)
      throws InterruptedException {
    List<Thread> threads =
        clients.stream()
            .map(client ->
                Thread.ofVirtual()
                    .uncaughtExceptionHandler((thread, e) -> evidence.clientFailed(e))
                    .start(client))
            .toList();
    try {
      nemesis.run(System.nanoTime() + TimeUnit.SECONDS.toNanos(options.seconds()), options.every());
      if (options.every()) {
        nemesis.missing().forEach(kind -> evidence.happened("fault " + kind.label(), 0));
      }
    } catch (RuntimeException | AssertionError e) {
      violations.add(new Violation(Violation.Kind.NOT_HEALED, "cluster", e.toString()));
    } finally {
      ended.set(true);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void check() {
    Checker checker = new Checker(windows, origin).check(histories);
    violations.addAll(checker.violations());
    excused.addAll(checker.excused());
    long bulk = appended.stream().mapToLong(Appended::count).sum();
    appended.forEach(
        index -> evidence.happened("documents appended to " + index.index(), index.count()));
    evidence.happened("writes by id acknowledged", histories.acknowledged());
    evidence.happened("faults that came about", nemesis.count() - nemesis.failed());
    counts =
        histories.counts()
            + ", "
            + checker.heldReads()
            + " of them strict; "
            + bulk
            + " documents appended; "
            + counts
            + "; "
            + nemesis.count()
            + " faults "
            + nemesis.happened()
            + ", "
            + nemesis.failed()
            + " of them not as they should be; "
            + violations.size()
            + " violations; "
            + excused.size()
            + " stale reads that OpenSearch does not rule out, "
            + nemesis.hung()
            + " recoveries that it did not end";
  }

  /** How much was done and found. */
  String counts() {
    return counts;
  }

  /** What is broken. */
  List<Violation> violations() {
    return violations;
  }

  /** Answers that no client should get. */
  Map<String, String> oddAnswers() {
    return odd;
  }

  /** What keeps the run from proving anything, in words. */
  List<String> missing() {
    return evidence.missing();
  }

  /** When which fault was. */
  List<String> timeLine() {
    return nemesis.timeLine();
  }

  /** All of it, for a file. */
  List<String> report() {
    List<String> lines = new ArrayList<>(nemesis.timeLine());
    lines.add("");
    lines.add(counts);
    violations.forEach(violation -> lines.add(violation.toString()));
    excused.forEach(violation -> lines.add("not ruled out: " + violation));
    nemesis.hungInWords().forEach(what -> lines.add("hung: " + what));
    odd.forEach((kind, example) -> lines.add("odd answer: " + kind + " " + example));
    evidence.missing().forEach(what -> lines.add("missing: " + what));
    for (ClusterNode node : cluster.nodes()) {
      if (!violations.isEmpty()) {
        lines.add(node.tail());
      }
    }
    return lines;
  }
}
