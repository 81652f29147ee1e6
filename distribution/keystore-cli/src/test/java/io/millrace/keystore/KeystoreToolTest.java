package io.millrace.keystore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class KeystoreToolTest {
  @TempDir private Path config;
  private String said = "";

  private int run(String input, String... args) {
    Secrets secrets =
        new Secrets(null, new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
    CommandLine line = KeystoreTool.commandLine(config, secrets);
    StringWriter out = new StringWriter();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(out, true));
    int code = line.execute(args);
    said = out.toString().strip();
    return code;
  }

  @Test
  void keepsStringsAndFiles() throws Exception {
    Path file = Files.writeString(config.resolve("key.pem"), "pem\n");
    assertEquals(0, run("", "create"), said);
    assertEquals(0, run("geheim\nzwei\n", "add", "a.b", "c.d"), said);
    assertEquals(0, run("", "add-file", "e.f", file.toString()), said);
    run("", "list");
    assertEquals("a.b\nc.d\ne.f\nkeystore.seed", said);
    run("", "show", "a.b");
    assertEquals("geheim", said);
    assertEquals(0, run("", "remove", "a.b", "e.f"), said);
    run("", "list");
    assertEquals("c.d\nkeystore.seed", said);
  }

  @Test
  void nothingIsReplacedUnasked() {
    assertEquals(0, run("", "create"), said);
    assertEquals(1, run("", "create"));
    assertTrue(said.contains("exists already"), said);
    assertEquals(0, run("one\n", "add", "a.b"), said);
    assertEquals(1, run("two\n", "add", "a.b"));
    assertEquals(0, run("two\n", "add", "--force", "a.b"), said);
    run("", "show", "a.b");
    assertEquals("two", said);
  }

  @Test
  void aPasswordIsNeededFromThenOn() {
    run("", "create");
    assertEquals(1, run("", "has-passwd", "-s"));
    assertEquals(0, run("pw\n", "passwd"), said);
    assertEquals(0, run("", "has-passwd", "-s"));
    assertEquals(0, run("pw\n", "list"), said);
    assertEquals(1, run("wrong\n", "list"));
    assertTrue(said.contains("wrong password"), said);
  }

  @Test
  void wrongInputNamesItself() {
    assertEquals(1, run("", "list"));
    assertTrue(said.contains("opensearch-keystore create"), said);
    run("", "create");
    assertEquals(1, run("x\n", "add", "a b"));
    assertTrue(said.contains("a b"), said);
    assertEquals(1, run("", "add", "a.b"));
    assertTrue(said.contains("standard input ended"), said);
    assertEquals(1, run("", "remove", "no.such"));
    assertEquals(1, run("", "add-file", "a.b", "/no/such/file"));
    assertEquals(1, run("", "add-file", "a.b", "x", "c.d"));
    assertTrue(said.contains("c.d"), said);
    assertEquals(2, run("", "lsit"));
  }
}
