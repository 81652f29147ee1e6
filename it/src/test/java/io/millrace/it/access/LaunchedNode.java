package io.millrace.it.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.client.Credentials;
import io.millrace.client.TrustedCertificates;
import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Archives;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.cluster.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the distribution's own {@code up} starts, in a state folder of its own. Closing it ends the
 * nodes and removes the folder.
 */
final class LaunchedNode implements AutoCloseable {
  private final Path state;
  private final int port;
  private final Map<String, String> flags;

  /** Nodes of a test, which live for minutes. */
  LaunchedNode() throws IOException {
    this(Map.of("JDK_JAVA_OPTIONS", Cluster.SHORT_LIVED));
  }

  private LaunchedNode(Map<String, String> flags) throws IOException {
    this.flags = flags;
    state = Files.createTempDirectory("millrace-launched-");
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
    port = FreePorts.free(1).get(0);
    Archives.lend(Tree.MILLRACE.home(), state.resolve("s"));
  }

  /** Nodes with both compilers, as they are delivered: for figures. */
  static LaunchedNode measured() throws IOException {
    return new LaunchedNode(Map.of());
  }

  /** Where the launcher keeps what it knows. */
  Path run() {
    return state.resolve("s/run");
  }

  int port() {
    return port;
  }

  /** The authority of {@code up --secure} that HTTP clients trust, a PEM file. */
  Path authority() {
    return run().resolve("secrets/http-ca.crt");
  }

  /** {@code up} on this port with more options; it ended with 0. */
  Outcome up(String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of("up", "--port", "" + port, "--timeout", "600"));
    words.addAll(List.of(options));
    return millrace(words.toArray(String[]::new)).ok();
  }

  /** A command of the distribution with this state folder. */
  Outcome millrace(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Tree.MILLRACE.home().resolve("bin/millrace").toString());
    command.addAll(List.of(arguments));
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                "MILLRACE_STATE", state.resolve("s").toString(),
                "HOME", state.toString(),
                "OPENSEARCH_JAVA_HOME", System.getProperty("java.home")));
    if (arguments[0].equals("up")) { // the others say nothing but JSON
      environment.putAll(flags);
    }
    return Commands.run(state, environment, command);
  }

  /** What a command said once, in a line {@code name: value}. */
  static String told(String name, Outcome outcome) {
    List<String> told =
        outcome.output().lines().filter(line -> line.startsWith(name + ": ")).toList();
    assertEquals(1, told.size(), name + " is told once: " + outcome);
    return told.getFirst().substring(name.length() + 2);
  }

  /** A client of one node of {@code up --secure}, counted from 0, that alone is asked. */
  ClusterClient secured(int node, Credentials who) {
    return new ClusterClient(
        ClientOptions.of(List.of("https://127.0.0.1:" + (port + node)))
            .tls(TrustedCertificates.of(authority()))
            .credentials(who));
  }

  @Override
  public void close() throws IOException {
    millrace("down");
    Folders.remove(state);
  }
}
