package io.millrace.it.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A real broker, a producer, and an index that {@code millrace pipeline kafka create} made: every
 * record is found once and as it was produced, though the node and the broker are killed ({@code
 * kill -9}) while records are produced and read, and some records were produced twice.
 *
 * <p>{@code -Dmillrace.kafka.records=1000000 -Dmillrace.kafka.kills=2} gives the figures of
 * pipelines/docs/kafka-measured.md. Where the broker's jars cannot be fetched ({@link BrokerJars}),
 * the test is skipped and says so.
 */
class KafkaIT {
  private static final int RECORDS = Integer.getInteger("millrace.kafka.records", 50_000);

  /** Of the node, and as many of the broker. */
  private static final int KILLS = Integer.getInteger("millrace.kafka.kills", 1);

  /** Records a second. */
  private static final int RATE =
      Integer.getInteger("millrace.kafka.rate", Math.max(1_500, RECORDS / 200));

  /** Feeds of each kind before the first that counts. */
  private static final int WARM_UPS = Integer.getInteger("millrace.kafka.warmups", 2);

  private static final int PARTITIONS = 2;
  private static final String TOPIC = "shop";
  private static final String INDEX = "logs-shop";
  private static final Duration LIMIT = Duration.ofMinutes(15);

  private Path folder = Path.of("");
  private Path home = Path.of("");
  private final List<AutoCloseable> open = new ArrayList<>();

  /** The distribution with the plugin in place, as its page says. */
  @BeforeEach
  void treeWithThePlugin() throws IOException {
    folder = Files.createTempDirectory("millrace-kafka-tree-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    home = folder.resolve("millrace");
    Folders.copy(Tree.MILLRACE.home(), home);
    Folders.copy(home.resolve("optional/ingestion-kafka"), home.resolve("plugins/ingestion-kafka"));
  }

  @AfterEach
  void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    Folders.remove(folder);
  }

  private <T extends AutoCloseable> T opened(T resource) {
    open.add(resource);
    return resource;
  }

  private Outcome pipeline(JsonHttp http, String verb, String index, String... options)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(home.resolve("bin/millrace").toString(), "pipeline", "kafka", verb));
    command.addAll(List.of("--url", http.base().toString(), "--index", index));
    command.addAll(List.of(options));
    return Commands.run(
            folder,
            Map.of(
                "MILLRACE_STATE", folder.resolve("state").toString(),
                "OPENSEARCH_JAVA_HOME", System.getProperty("java.home")),
            command)
        .ok();
  }

  private Cluster cluster() throws IOException {
    Cluster.Builder plan = Cluster.mixed().node(home);
    return RECORDS > 100_000 ? atWork(plan.heap("1g").optimized()) : opened(plan.start());
  }

  /**
   * With the archive of classes that a node of {@code millrace up} has from its second start on.
   */
  private Cluster atWork(Cluster.Builder plan) throws IOException {
    Path archives = Files.createDirectory(folder.resolve("archives"));
    // the node's user may be another one
    Files.setPosixFilePermissions(archives, PosixFilePermissions.fromString("rwxrwxrwx"));
    Map<String, String> kept = Map.of("OPENSEARCH_ARCHIVES", archives.toString());
    Cluster cluster = opened(plan.env(0, kept).start());
    String make = home.resolve("bin/opensearch-archive").toString();
    Commands.run(folder, kept, List.of(make, "make")).ok();
    return cluster;
  }

  @Test
  void everyRecordIsFoundOnceThoughNodeAndBrokerAreKilled() throws Exception {
    KafkaBroker broker = opened(KafkaBroker.start(BrokerJars.folder()));
    broker.topic(TOPIC, PARTITIONS);
    ClusterNode node = cluster().node(0);
    Producer producer =
        opened(new Producer(broker.bootstrap(), TOPIC, PARTITIONS, RATE, Producer.BATCHING));
    Moments produced = producer.begin().produced();
    awaitProduced(produced, 2_000);
    create(broker, node.http(), TOPIC, INDEX);
    Arrivals arrivals = opened(new Arrivals(node.http(), INDEX, PARTITIONS));

    awaitProduced(produced, RECORDS / 2);
    int quiet = produced.size();
    awaitFound(arrivals, quiet);
    for (int kill = 0; kill < KILLS; kill++) {
      awaitProduced(produced, RECORDS / 2 + (long) RECORDS / 2 * kill / KILLS);
      assertUnderWay(produced, arrivals);
      kill(node);
      awaitCaughtUp("the node", node.http(), produced);
      assertUnderWay(produced, arrivals);
      broker.kill();
      broker.start();
      awaitCaughtUp("the broker", node.http(), produced);
    }
    awaitProduced(produced, RECORDS);
    producer.finish();
    awaitFound(arrivals, produced.size());
    Await.until(
        "as many documents as records", LIMIT, () -> count(node.http(), INDEX) == produced.size());

    ReadBack all = ReadBack.of(node.http(), INDEX, produced);
    System.out.printf(
        Locale.ROOT,
        "%d records at %d a second and %d of them once more, node and broker killed %d times each:"
            + " %d found, %d lost, %d doubled, %d changed%n",
        produced.size(),
        RATE,
        producer.sentAgain(),
        KILLS,
        all.found(),
        all.lost().size(),
        all.doubled(),
        all.changed().size());
    System.out.println(
        "produce to searchable before the first kill: "
            + Latency.of(produced, arrivals, quiet / 4, quiet));
    System.out.println(
        "produce to searchable, all, kills included:  "
            + Latency.of(produced, arrivals, 0, produced.size()));
    System.out.println(pipeline(node.http(), "status", INDEX, "--interval", "1").output());
    assertEquals(new ReadBack(produced.size(), List.of(), 0, List.of()), all);
    assertTrue(producer.sentAgain() > 0);
    awaitNothingWaits(node.http());
  }

  /** What pipelines.streams says of the index in the end. */
  private static void awaitNothingWaits(JsonHttp http) {
    Await.until(
        "two shards that read and of which nothing waits",
        Duration.ofMinutes(1),
        () -> {
          JsonNode shards = http.get("/_millrace/streams").ok().json().findValue("shards");
          List<String> all = new ArrayList<>();
          shards.forEach(shard ->
              all.add(
                  shard.path("state").asText()
                      + shard.path("lag")
                      + shard.path("queued")
                      + shard.path("search_in_millis")));
          return all.equals(List.of("reading000", "reading000"));
        });
  }

  /**
   * The same records from a producer that sends a request for each and from one that batches, while
   * an index reads them: what the broker and the node pay. The figures are for
   * pipelines/docs/kafka-measured.md.
   */
  @Test
  @EnabledIfSystemProperty(named = "millrace.kafka.batching", matches = "true")
  void batchesCostTheBrokerLess() throws Exception {
    KafkaBroker broker = opened(KafkaBroker.start(BrokerJars.folder()));
    ClusterNode node = cluster().node(0);
    // until the compilers of both processes have little left to do
    for (int warmUp = 1; warmUp <= WARM_UPS; warmUp++) {
      feed("warm-up-" + warmUp, Producer.UNBATCHED, broker, node);
      feed("warm-up-batched-" + warmUp, Producer.BATCHING, broker, node);
    }
    for (int round = 1; round <= 3; round++) {
      feed("unbatched-" + round, Producer.UNBATCHED, broker, node);
      feed("batched-" + round, Producer.BATCHING, broker, node);
    }
  }

  private void feed(
      String topic, Map<String, Object> batching, KafkaBroker broker, ClusterNode node)
      throws Exception {
    broker.topic(topic, PARTITIONS);
    String index = "logs-" + topic;
    // create takes the fields from records; their ids come again
    try (Producer first =
        new Producer(broker.bootstrap(), topic, PARTITIONS, RATE, Producer.BATCHING)) {
      awaitProduced(first.begin().produced(), 1_000);
      first.finish();
    }
    create(broker, node.http(), topic, index);
    try (Producer producer =
        new Producer(broker.bootstrap(), topic, PARTITIONS, Integer.MAX_VALUE, batching)) {
      long begun = System.nanoTime();
      long brokerCpu = broker.cpuNanos();
      long nodeCpu = node.process().cpuNanos();
      Moments produced = producer.begin().produced();
      awaitProduced(produced, RECORDS);
      producer.finish();
      double sent = (System.nanoTime() - begun) / 1e9;
      Await.until("all", LIMIT, () -> count(node.http(), index) == produced.size());
      tellCost(
          topic + ": sent in " + Math.round(sent) + " s",
          produced.size() + producer.sentAgain(),
          (System.nanoTime() - begun) / 1e9,
          (broker.cpuNanos() - brokerCpu) / 1e9,
          (node.process().cpuNanos() - nodeCpu) / 1e9);
      pipeline(node.http(), "delete", index, "--yes");
    }
  }

  private static void tellCost(
      String what, long records, double seconds, double brokerCpu, double nodeCpu) {
    System.out.printf(
        Locale.ROOT,
        "%s, %d records found after %.1f s; consumed records per CPU-second: broker %.0f,"
            + " node %.0f, both %.0f%n",
        what,
        records,
        seconds,
        records / brokerCpu,
        records / nodeCpu,
        records / (brokerCpu + nodeCpu));
  }

  private void create(KafkaBroker broker, JsonHttp http, String topic, String index)
      throws IOException {
    pipeline(
        http,
        "create",
        index,
        "--topic",
        topic,
        "--bootstrap",
        broker.bootstrap(),
        "--id-field",
        "id");
  }

  private static void kill(ClusterNode node) {
    long killed = System.nanoTime();
    node.kill();
    node.start();
    node.awaitAnswer();
    System.out.printf(
        Locale.ROOT,
        "killed: the node; it answered again after %.1f s%n",
        (System.nanoTime() - killed) / 1e9);
  }

  /** Records are produced that no search finds yet: a kill falls between the two. */
  private static void assertUnderWay(Moments produced, Arrivals arrivals) {
    int found = arrivals.below();
    assertTrue(produced.size() > found, () -> produced.size() + " produced, " + found + " found");
  }

  /** Every record is found that has been produced until now, the first ones again, too. */
  private static void awaitCaughtUp(String killed, JsonHttp http, Moments produced) {
    long answering = System.nanoTime();
    int records = produced.size();
    Await.until(records + " records to be found", LIMIT, () -> count(http, INDEX) >= records);
    System.out.printf(
        Locale.ROOT,
        "killed: %s; it caught up with %d records %.1f s after it answered again%n",
        killed,
        records,
        (System.nanoTime() - answering) / 1e9);
  }

  private static void awaitProduced(Moments produced, long records) {
    Await.until(records + " produced records", LIMIT, () -> produced.size() >= records);
  }

  private static void awaitFound(Arrivals arrivals, int records) {
    Await.until(records + " records to be found", LIMIT, () -> arrivals.below() >= records);
  }

  private static long count(JsonHttp http, String index) {
    return http.get("/" + index + "/_count").ok().at("/count").asLong();
  }
}
