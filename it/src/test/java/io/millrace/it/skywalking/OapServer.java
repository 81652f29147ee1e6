package io.millrace.it.skywalking;

import io.millrace.testkit.Await;
import io.millrace.testkit.cluster.FreePorts;
import io.millrace.testkit.http.JsonHttp;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An OAP in a process of its own that stores into one node. */
final class OapServer implements AutoCloseable {
  private static final String MAIN = "org.apache.skywalking.oap.server.starter.OAPServerStartUp";

  private final Process process;
  private final Path output;
  private final int reports;
  private final JsonHttp http;
  private final Thread reaper;

  private OapServer(Process process, Path output, int reports, int rest) {
    this.process = process;
    this.output = output;
    this.reports = reports;
    this.http = new JsonHttp(URI.create("http://127.0.0.1:" + rest));
    this.reaper = new Thread(process::destroyForcibly, "kill-oap");
  }

  /**
   * Starts it and waits until it answers its UI's queries.
   *
   * @param node port of the node on loopback
   * @param indexSettings settings of single indices as OAP takes them: a JSON object from the name
   *     of an index to its settings
   * @throws AssertionError when it ends or two minutes pass, with the end of its log
   */
  static OapServer start(int node, String indexSettings) throws IOException {
    List<Integer> ports = FreePorts.free(2);
    Path output = Files.createTempFile("millrace-oap-", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(
            java(),
            "-Xmx400m",
            "-XX:TieredStopAtLevel=1",
            "-Duser.timezone=UTC",
            "-cp",
            OapLibraries.RESOURCES.resolve("oap") + File.pathSeparator + OapLibraries.classPath(),
            MAIN);
    builder.environment().put("OAP_NODE", "127.0.0.1:" + node);
    builder.environment().put("OAP_REST_PORT", ports.get(0).toString());
    builder.environment().put("OAP_GRPC_PORT", ports.get(1).toString());
    builder.environment().put("OAP_INDEX_SETTINGS", indexSettings);
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    OapServer oap = new OapServer(builder.start(), output, ports.get(1), ports.get(0));
    Runtime.getRuntime().addShutdownHook(oap.reaper);
    try {
      oap.awaitAnswer();
    } catch (AssertionError e) {
      oap.close();
      throw e;
    }
    return oap;
  }

  /** The java that runs this test. */
  static String java() {
    return Path.of(System.getProperty("java.home"), "bin/java").toString();
  }

  private void awaitAnswer() throws IOException {
    try {
      Await.until(
          "OAP to answer on " + http.base(),
          Duration.ofMinutes(2),
          () ->
              !process.isAlive()
                  || http.post("/graphql", "{\"query\":\"{listLayers}\"}").status() == 200);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + tail(), e);
    }
    if (!process.isAlive()) {
      throw new AssertionError("OAP ended while starting\n" + tail());
    }
  }

  /** Port of its gRPC services on loopback, to which agents report. */
  int reports() {
    return reports;
  }

  /** A client of its REST port, on which it answers GraphQL. */
  JsonHttp http() {
    return http;
  }

  /** The end of its log, for messages. */
  String tail() throws IOException {
    List<String> lines = Files.readAllLines(output);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().removeShutdownHook(reaper);
    http.close();
    Files.deleteIfExists(output);
  }
}
