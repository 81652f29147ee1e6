package io.millrace.cli.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cli.MillraceCommand;
import io.millrace.client.failure.ExitCode;
import io.millrace.credential.Operators;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    List<String> all = new ArrayList<>(List.of("certificates"));
    all.addAll(List.of(args));
    return command(all.toArray(String[]::new));
  }

  private int command(String... args) {
    CommandLine line = MillraceCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(args);
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
  void anOperatorIsToldOnceAndKeptAsAHash() throws Exception {
    Path file = dir.resolve("config/millrace/operators");
    assertEquals(0, command("operator", "admin", "--file=" + file), err.toString());
    String password =
        out.toString()
            .lines()
            .filter(line -> line.startsWith("password: "))
            .findFirst()
            .orElseThrow()
            .substring("password: ".length());
    assertEquals(0, command("operator", "second", "--file=" + file), err.toString());
    Operators known = Operators.parse(Files.readString(file));
    assertTrue(known.hashes().get("admin").matches(password.toCharArray()));
    assertEquals(2, known.hashes().size());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    assertEquals(ExitCode.USAGE, command("operator", "a:b", "--file=" + file));
    assertTrue(err.toString().contains("\"a:b\""), err.toString());
    Files.writeString(file, "admin:secret\n");
    assertEquals(ExitCode.INPUT, command("operator", "admin", "--file=" + file));
    assertTrue(err.toString().contains("line 1"), err.toString());
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
