package io.millrace.it.kafka;

import io.millrace.testkit.Await;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.cluster.FreePorts;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;

/**
 * One Kafka broker that is its own controller (KRaft), in a process of its own on loopback. It can
 * be killed and started again on the same data and ports.
 */
final class KafkaBroker implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(3);

  private final Path folder;
  private final Path jars;
  private final int port;
  private final Thread reaper = new Thread(this::destroy, "kill-test-broker");
  private Optional<Process> process = Optional.empty();

  private KafkaBroker(Path folder, Path jars, int port) {
    this.folder = folder;
    this.jars = jars;
    this.port = port;
  }

  /** A new broker that answers. */
  static KafkaBroker start(Path jars) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("millrace-kafka-");
    List<Integer> ports = FreePorts.free(2);
    KafkaBroker broker = new KafkaBroker(folder, jars, ports.get(0));
    Runtime.getRuntime().addShutdownHook(broker.reaper);
    Files.writeString(broker.properties(), configuration(folder, ports.get(0), ports.get(1)));
    Process format =
        broker.java(
            "kafka.tools.StorageTool",
            "format",
            "-t",
            Uuid.randomUuid().toString(),
            "-c",
            broker.properties().toString());
    if (!format.waitFor(2, TimeUnit.MINUTES) || format.exitValue() != 0) {
      format.destroyForcibly();
      throw new AssertionError("the broker's folder was not made\n" + broker.tail());
    }
    broker.start();
    return broker;
  }

  private static String configuration(Path folder, int port, int controller) {
    return """
    process.roles=broker,controller
    node.id=1
    controller.quorum.voters=1@127.0.0.1:%2$d
    controller.listener.names=CONTROLLER
    listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
    advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
    log.dirs=%3$s/data
    auto.create.topics.enable=false
    offsets.topic.replication.factor=1
    transaction.state.log.replication.factor=1
    transaction.state.log.min.isr=1
    """
        .formatted(port, controller, folder);
  }

  private Path properties() {
    return folder.resolve("server.properties");
  }

  private Process java(String... program) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(List.of("-Xmx384m", "-cp", jars + "/*"));
    command.addAll(List.of(program));
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(folder.resolve("out").toFile()))
        .start();
  }

  /** {@code host:port} for clients. */
  String bootstrap() {
    return "127.0.0.1:" + port;
  }

  /** Starts the killed broker again and waits until it answers. */
  void start() throws IOException {
    Process started = java("kafka.Kafka", properties().toString());
    process = Optional.of(started);
    try {
      Await.until("the broker", START, () -> !started.isAlive() || answers());
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + tail(), e);
    }
    if (!started.isAlive()) {
      throw new AssertionError("the broker ended while starting\n" + tail());
    }
  }

  private boolean answers() throws Exception {
    try (Admin admin = admin()) {
      return !admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).isEmpty();
    }
  }

  private Admin admin() {
    return Admin.create(
        Map.of(
            "bootstrap.servers", bootstrap(),
            "default.api.timeout.ms", 20_000,
            "request.timeout.ms", 5_000));
  }

  /** A new topic. */
  void topic(String name, int partitions) throws Exception {
    try (Admin admin = admin()) {
      admin
          .createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
          .all()
          .get(1, TimeUnit.MINUTES);
    }
  }

  /** CPU that the running process has used, in nanoseconds. */
  long cpuNanos() {
    return process
        .flatMap(running -> running.info().totalCpuDuration())
        .orElse(Duration.ZERO)
        .toNanos();
  }

  /** {@code kill -9}, and waits until it is gone. */
  void kill() {
    destroy();
    process.ifPresent(killed -> killed.onExit().join());
  }

  private void destroy() {
    process.ifPresent(Process::destroyForcibly);
  }

  private String tail() {
    try {
      List<String> lines = Files.readAllLines(folder.resolve("out"));
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    kill();
    Runtime.getRuntime().removeShutdownHook(reaper);
    Folders.remove(folder);
  }
}
