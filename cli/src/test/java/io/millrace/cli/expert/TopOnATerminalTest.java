package io.millrace.cli.expert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.millrace.cli.MillraceCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * {@code top} on a pseudo terminal, which {@code script} of util-linux makes: keys sort and end it
 * while it runs, and the terminal is left as it was.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class TopOnATerminalTest {
  private static final Path SCRIPT = Path.of("/usr/bin/script");
  private static final String ROOT =
      "{\"name\":\"n\",\"cluster_name\":\"c\",\"cluster_uuid\":\"u\",\"version\":{\"distribution\":\"opensearch\",\"number\":\"3.8.0\"}}";

  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicLong samples = new AtomicLong();
  private final StringBuilder screen = new StringBuilder();
  private volatile boolean stuck;
  private HttpServer server;
  private Process top;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(Files.isExecutable(SCRIPT), "no pseudo terminal without " + SCRIPT);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          byte[] body = answer(exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    String java =
        Path.of(System.getProperty("java.home"), "bin", "java")
            + " -XX:TieredStopAtLevel=1 -cp '"
            + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
            + "' "
            + MillraceCommand.class.getName()
            + " top --interval 1s http://127.0.0.1:"
            + server.getAddress().getPort();
    ProcessBuilder builder =
        new ProcessBuilder(
                SCRIPT.toString(), "-qfec", java + "; echo ended with $?; stty -a", "/dev/null")
            .redirectErrorStream(true);
    builder.environment().put("MILLRACE_TTY_OUT", "1");
    builder.environment().put("TERM", "xterm");
    builder.environment().put("SHELL", "/bin/sh");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    top = builder.start();
    InputStream from = top.getInputStream();
    Thread.ofVirtual()
        .start(() -> {
          try {
            byte[] bytes = new byte[8_192];
            for (int n = from.read(bytes); n >= 0; n = from.read(bytes)) {
              synchronized (screen) {
                screen.append(new String(bytes, 0, n, StandardCharsets.UTF_8));
                screen.notifyAll();
              }
            }
          } catch (IOException e) {
            // the terminal is closed
          }
        });
  }

  @AfterEach
  void stop() throws InterruptedException {
    released.countDown();
    if (top != null) {
      top.descendants().forEach(ProcessHandle::destroyForcibly);
      top.destroyForcibly().waitFor();
    }
    if (server != null) {
      server.stop(0);
    }
  }

  private String answer(String path) {
    if (path.equals("/")) {
      return ROOT;
    }
    if (path.startsWith("/_nodes/stats/") && stuck) {
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (path.startsWith("/_all/_stats")) {
      long n = samples.incrementAndGet();
      return "{\"indices\":{"
          + index("written", 1_000 * n, 0, 1)
          + ","
          + index("searched", 0, 1_000 * n, 2)
          + ","
          + index("stored", 0, 0, 1_000_000_000)
          + "}}";
    }
    return "{}";
  }

  private static String index(String name, long writes, long searches, long bytes) {
    return "\""
        + name
        + "\":{\"primaries\":{\"indexing\":{\"index_total\":"
        + writes
        + "}},\"total\":{\"search\":{\"query_total\":"
        + searches
        + "},\"store\":{\"size_in_bytes\":"
        + bytes
        + "}}}";
  }

  private void press(char key) throws IOException {
    OutputStream to = top.getOutputStream();
    to.write(key);
    to.flush();
  }

  /** Waits until the screen says it; what was on it by then is returned. */
  private String await(Predicate<String> said) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    synchronized (screen) {
      while (!said.test(screen.toString())) {
        assertTrue(System.nanoTime() < until, () -> "on the screen: " + screen);
        screen.wait(1_000);
      }
      return screen.toString();
    }
  }

  private String first(String order) throws InterruptedException {
    String head = "INDEX (by " + order + ")";
    String all =
        await(text ->
            text.lastIndexOf(head) >= 0 && text.indexOf("SHARD", text.lastIndexOf(head)) > 0);
    String[] lines = all.substring(all.lastIndexOf(head)).split("\r\n");
    return lines[1].split(" ")[0];
  }

  private String ended() throws InterruptedException {
    String all = await(text -> text.contains("ended with") && text.contains("icanon"));
    assertTrue(top.waitFor(60, TimeUnit.SECONDS), all);
    String after = all.substring(all.indexOf("ended with"));
    assertTrue(after.startsWith("ended with 0"), after);
    assertFalse(after.contains("-icanon"), after);
    assertFalse(after.contains("-echo "), after);
    return all;
  }

  @Test
  void keysSortAndEndItAndTheTerminalIsAsBefore() throws Exception {
    assertEquals("written", first("writes"));
    press('s');
    assertEquals("searched", first("searches"));
    press('d');
    assertEquals("stored", first("disk"));
    press('x');
    press('f');
    first("freshness");
    press('w');
    await(text -> text.lastIndexOf("(by writes)") > text.lastIndexOf("(by freshness)"));
    press('q');
    String all = ended();
    assertTrue(all.contains("\033[?1049h"), "the whole screen is used");
    assertTrue(all.indexOf("\033[?25h\033[?1049l") < all.indexOf("ended with"), all);
  }

  @Test
  void itEndsWhileTheClusterIsWaitedFor() throws Exception {
    stuck = true;
    // nothing is shown yet: the first sample hangs
    await(text -> text.contains("\033[?1049h"));
    press('q');
    String all = ended();
    assertFalse(all.contains("INDEX"), all);
  }
}
