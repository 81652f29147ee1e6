package io.millrace.it.shippers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Lines;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.cluster.FreePorts;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * rsyslog and syslog-ng of Debian, with the configurations that the page of shippers has, take
 * lines over TCP and write them to a node that refuses the first bulks: every line arrives once,
 * with its time, host, level and process. rsyslog does not send a refused bulk again; the file that
 * it keeps them in is sent by the test, as the page says.
 */
class ShippersIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 1);

  private static final int LINES = 2_000;
  private static final int REFUSED = 2;

  /** Where Debian's packages for this machine put their libraries. */
  private static final String LIBRARIES =
      ("amd64".equals(System.getProperty("os.arch")) ? "x86_64" : System.getProperty("os.arch"))
          + "-linux-gnu";

  /** Where rsyslog keeps bulks that were refused. */
  private static final String KEPT = "refused.json";

  @Test
  void rsyslog() throws Exception {
    Path root =
        DebianPackages.unpacked(
            "rsyslog",
            List.of(
                "rsyslog",
                "rsyslog-elasticsearch",
                "libestr0",
                "libfastjson4",
                "liblognorm5",
                "libcurl4"));
    Path modules = root.resolve("usr/lib/" + LIBRARIES + "/rsyslog");
    everyLineArrives(
        "rsyslog",
        port ->
            "module(load=\"imptcp\")\ninput(type=\"imptcp\" address=\"127.0.0.1\" port=\""
                + port
                + "\")\n",
        (folder, configuration) ->
            List.of(
                root.resolve("usr/sbin/rsyslogd").toString(),
                "-n",
                "-f",
                configuration.toString(),
                "-i",
                folder.resolve("pid").toString(),
                "-M",
                modules.toString()),
        Map.of("LD_LIBRARY_PATH", modules.getParent().toString()));
  }

  @Test
  void syslogNg() throws Exception {
    Path root =
        DebianPackages.unpacked(
            "syslog-ng",
            List.of(
                "syslog-ng-core",
                "syslog-ng-mod-http",
                "syslog-ng-scl",
                "libivykis0",
                "libnet1",
                "libwrap0",
                "libjson-c5",
                "libpcre3",
                "libcurl4"));
    Path usr = root.resolve("usr");
    Path included = usr.resolve("share/syslog-ng/include/scl.conf");
    if (!Files.exists(included)) {
      Files.copy(root.resolve("etc/syslog-ng/scl.conf"), included);
    }
    everyLineArrives(
        "syslog-ng",
        port ->
            "@version: 3.38\n@include \"scl.conf\"\nsource s_lines { network(ip(\"127.0.0.1\") port("
                + port
                + ") transport(\"tcp\") flags(syslog-protocol)); };\n"
                + "log { source(s_lines); destination(d_millrace); };\n",
        (folder, configuration) ->
            List.of(
                usr.resolve("sbin/syslog-ng").toString(),
                "-F",
                "--no-caps",
                "-f",
                configuration.toString(),
                "--module-path",
                usr.resolve("lib/syslog-ng/3.38").toString(),
                "-R",
                folder.resolve("persist").toString(),
                "-p",
                folder.resolve("pid").toString(),
                "-c",
                folder.resolve("ctl").toString()),
        Map.of(
            "SYSLOGNG_PREFIX",
            usr.toString(),
            "LD_LIBRARY_PATH",
            usr.resolve("lib/" + LIBRARIES)
                + ":"
                + root.resolve("lib/" + LIBRARIES)
                + ":"
                + usr.resolve("lib/syslog-ng")));
  }

  /** What stands before the page's configuration, so that lines come in at a port. */
  private interface Input {
    String at(int port);
  }

  private interface Start {
    List<String> command(Path folder, Path configuration);
  }

  private static void everyLineArrives(
      String shipper, Input input, Start start, Map<String, String> environment) throws Exception {
    JsonHttp http = CLUSTER.http();
    Path folder = Files.createTempDirectory("millrace-shipper-");
    int port = FreePorts.free(1).get(0);
    try (ReluctantNode node = new ReluctantNode(http.base(), REFUSED)) {
      Path configuration = folder.resolve(shipper + ".conf");
      Files.writeString(
          configuration,
          input.at(port)
              + Page.configuration(shipper, node.port())
                  .replace("/var/spool/rsyslog/" + KEPT, folder.resolve(KEPT).toString()));
      try (Running running =
          Running.start(folder, start.command(folder, configuration), environment)) {
        send(running, port);
        Await.until(
            "every line of " + shipper,
            Duration.ofMinutes(3),
            () -> {
              http.post("/logs-syslog/_refresh");
              int there = http.get("/logs-syslog/_count").at("/count").asInt();
              return there + lines(kept(folder)) >= LINES;
            });
        assertEquals(0, node.left(), "bulks that were to be refused");
        running.process().destroy();
        assertTrue(running.process().waitFor(1, TimeUnit.MINUTES), running.said());
      }
      for (String bulk : kept(folder)) {
        Lines.accepted(http.post("/_bulk", bulk));
      }
      linesAreRight(http);
    } finally {
      Folders.remove(folder);
    }
  }

  /** The bulks in the file of those that were refused. */
  private static List<String> kept(Path folder) throws IOException {
    Path file = folder.resolve(KEPT);
    List<String> bulks = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        bulks.add(JsonHttp.MAPPER.readTree(line).at("/request/postdata").asText());
      }
    }
    return bulks;
  }

  private static long lines(List<String> bulks) {
    return bulks.stream()
        .flatMap(String::lines)
        .filter(line -> line.contains("@timestamp"))
        .count();
  }

  private static void send(Running running, int port) throws Exception {
    Await.until(
        "the shipper to listen",
        Duration.ofMinutes(1),
        () -> !running.process().isAlive() || sent(port));
    assertTrue(running.process().isAlive(), running.said());
  }

  private static boolean sent(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      OutputStream out = socket.getOutputStream();
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < LINES; i++) {
        lines
            .append("<131>1 2026-11-23T10:00:01.")
            .append("%03d".formatted(i % 1_000))
            .append("+01:00 web-1 nginx 77 - - line \"")
            .append(i)
            .append("\"\n");
      }
      out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static void linesAreRight(JsonHttp http) {
    http.post("/logs-syslog/_refresh").ok();
    JsonNode hits =
        http.get("/logs-syslog/_search?size=3000&sort=@timestamp").ok().at("/hits/hits");
    boolean[] seen = new boolean[LINES];
    for (JsonNode hit : hits) {
      JsonNode line = hit.path("_source");
      String message = line.path("message").asText().strip();
      int number = Integer.parseInt(message.replaceAll("\\D", ""));
      assertTrue(!seen[number], "twice: " + number);
      seen[number] = true;
      assertEquals("line \"" + number + "\"", message);
      assertEquals("web-1", line.path("host").asText());
      assertEquals("err", line.path("level").asText());
      assertEquals("nginx", line.path("process").asText());
      assertEquals(
          "2026-11-23T10:00:01.%03d+01:00".formatted(number % 1_000),
          line.path("@timestamp").asText());
    }
    assertEquals(LINES, hits.size());
  }
}
