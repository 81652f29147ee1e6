package io.millrace.cli.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cli.MillraceCommand;
import io.millrace.client.failure.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CertificatesCommandTest {
  @TempDir private Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine line = MillraceCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    List<String> all = new ArrayList<>(List.of("certificates"));
    all.addAll(List.of(args));
    return line.execute(all.toArray(String[]::new));
  }

  private String folder() {
    return "--dir=" + dir.resolve("tls");
  }

  @Test
  void createShowRenew() throws Exception {
    assertEquals(0, run("create", folder(), "a=a.example,10.0.0.1", "b"), err.toString());
    byte[] before = Files.readAllBytes(dir.resolve("tls/a/http.crt"));
    assertEquals(0, run("show", folder()), err.toString());
    String shown = out.toString();
    for (String part : List.of("tls/http-ca.crt", "tls/b/transport.crt", "a.example", "729 days")) {
      assertTrue(shown.contains(part), part + " in " + shown);
    }
    assertEquals(0, run("renew", folder(), "--days=10", "a"), err.toString());
    assertTrue(Files.mismatch(dir.resolve("tls/a/http.crt"), write(before)) >= 0);
    assertEquals(ExitCode.FAILED, run("show", folder()), "one ends within 30 days");
    assertTrue(out.toString().contains("renew it"), out.toString());
    assertEquals(0, run("show", folder(), "--warn=5"), out.toString());
  }

  private Path write(byte[] bytes) throws Exception {
    return Files.write(dir.resolve("before"), bytes);
  }

  @Test
  void aRequestForAnAuthorityOfOnesOwn() {
    assertEquals(0, run("csr", folder(), "a=a.example"), err.toString());
    assertTrue(Files.exists(dir.resolve("tls/a/transport.csr")));
    assertEquals(ExitCode.USAGE, run("csr", folder(), "a=a.example"));
    assertTrue(err.toString().contains("http.key"), err.toString());
  }

  @Test
  void wrongWordsAreNamed() {
    assertEquals(ExitCode.USAGE, run("create", folder(), "a=b c"));
    assertTrue(err.toString().contains("\"b c\""), err.toString());
    assertEquals(ExitCode.USAGE, run("create", folder(), "--days=0", "a"));
    assertTrue(err.toString().contains("--days 0"), err.toString());
    assertEquals(ExitCode.USAGE, run("renew", folder(), "none"));
    assertEquals(ExitCode.NOT_RUNNING, run("renew", folder()));
    assertEquals(ExitCode.NOT_RUNNING, run("show", folder()));
    assertEquals(ExitCode.USAGE, run("create", folder()));
    assertEquals(ExitCode.USAGE, run());
  }
}
