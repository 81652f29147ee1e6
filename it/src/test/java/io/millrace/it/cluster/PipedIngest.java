package io.millrace.it.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Lines;
import io.millrace.testkit.Tree;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code millrace ingest -} with a pipe of lines that does not end by itself. */
final class PipedIngest implements AutoCloseable {
  private static final int TICK_MILLIS = 100;

  private final Path output;
  private final Process process;
  private final Thread feeder = new Thread(this::feed, "lines");
  private final int tick;
  private volatile boolean ended;
  private final AtomicInteger sent = new AtomicInteger();

  /**
   * @param folder for what it says
   * @param perSecond lines that are piped in a second
   */
  PipedIngest(Path folder, String index, List<String> urls, int perSecond) throws IOException {
    output = folder.resolve("ingest.out");
    tick = perSecond * TICK_MILLIS / 1000;
    ProcessBuilder builder =
        new ProcessBuilder(
            Tree.MILLRACE.home().resolve("bin/millrace").toString(),
            "ingest",
            "-",
            "--index",
            index,
            "--json",
            "--quiet",
            "--exactly-once",
            "--bulk-docs",
            Integer.toString(tick),
            "--url",
            String.join(",", urls));
    builder.directory(folder.toFile());
    builder.environment().put("OPENSEARCH_JAVA_HOME", System.getProperty("java.home"));
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    process = builder.start();
    feeder.setDaemon(true);
    feeder.start();
  }

  private void feed() {
    try (OutputStream lines = process.getOutputStream()) {
      while (!ended) {
        StringBuilder some = new StringBuilder();
        for (int i = 0; i < tick; i++) {
          some.append(Lines.document(sent.get() + i)).append('\n');
        }
        lines.write(some.toString().getBytes(StandardCharsets.UTF_8));
        lines.flush();
        sent.addAndGet(tick);
        Thread.sleep(TICK_MILLIS);
      }
    } catch (IOException e) {
      return; // it has ended, and its exit code says so
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Lines that were piped. */
  int sent() {
    return sent.get();
  }

  /**
   * Ends the pipe and waits for the summary.
   *
   * @throws AssertionError when it does not end with 0, with what it said
   */
  JsonNode finish() throws IOException, InterruptedException {
    ended = true;
    feeder.join();
    if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
      throw new AssertionError("ingest did not end with 0: " + said());
    }
    String last = said().lines().filter(line -> line.startsWith("{")).toList().getLast();
    return JsonHttp.MAPPER.readTree(last);
  }

  private String said() throws IOException {
    return Files.readString(output);
  }

  @Override
  public void close() {
    ended = true;
    process.destroyForcibly();
  }
}
