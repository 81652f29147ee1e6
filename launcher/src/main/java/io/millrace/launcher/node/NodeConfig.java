package io.millrace.launcher.node;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.secure.NodeSecurity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Writes a node's {@code config/}: the tree's JVM flags and logging, the profile's files over them,
 * and an {@code opensearch.yml} that says all this node needs: the tree's settings, the profile's
 * over them, over these what the launcher decides, and over all the user's. Generated at every
 * start, so that a changed default arrives; own settings belong into {@code -E} or the tree.
 */
final class NodeConfig {
  private NodeConfig() {}

  /**
   * @return flags of the profile that this JDK does not know, left out
   */
  static List<String> write(NodeSpec spec) throws IOException {
    Path from = spec.tree().resolve("config");
    Path to = spec.config();
    Path flags = to.resolve("jvm.options.d");
    for (Path dir : List.of(to, flags, spec.data(), spec.logs(), spec.dir().resolve("tmp"))) {
      Files.createDirectories(dir);
    }
    for (String file : List.of("jvm.options", "log4j2.properties")) {
      copy(from.resolve(file), to.resolve(file));
    }
    for (Path stale : list(flags)) {
      Files.delete(stale);
    }
    for (Path file : list(from.resolve("jvm.options.d"))) {
      copy(file, flags.resolve(file.getFileName()));
    }
    YamlSettings settings = new YamlSettings();
    settings.readFrom(from.resolve("opensearch.yml"));
    List<String> unknown = new ArrayList<>();
    String profile = spec.profile();
    if (profile != null) {
      Path overlay = from.resolve("jvm-profiles").resolve(profile);
      if (!Files.isDirectory(overlay)) {
        throw new ExpectedFailure(
            ExitCode.USAGE,
            "no JVM profile \"" + profile + "\"",
            "This distribution has: " + String.join(", ", profiles(spec.tree())));
      }
      KnownFlags known = KnownFlags.of(spec.javaHome());
      for (Path file : list(overlay.resolve("jvm.options.d"))) {
        List<String> lines = Files.readAllLines(file);
        unknown.addAll(known.unknownIn(lines));
        Files.write(flags.resolve(file.getFileName()), known.withoutUnknown(lines));
      }
      settings.readFrom(overlay.resolve("opensearch.yml"));
    }
    Files.write(flags.resolve("paths.options"), pathFlags(spec));
    Files.write(flags.resolve("zz-node.options"), nodeFlags(spec));
    // who the other nodes are is known here alone, and one way of naming them rules out another
    settings.removeBelow("discovery.");
    settings.remove("cluster.initial_cluster_manager_nodes");
    settings.remove("cluster.initial_master_nodes");
    settings(spec).forEach((key, value) -> settings.set(key, yaml(value)));
    NodeSecurity security = spec.security();
    if (security != null) {
      security.require(spec.settings());
      security.settings().forEach((key, value) -> settings.set(key, yaml(value)));
      security.handOver(to);
    }
    spec.settings().forEach((key, value) -> settings.set(key, yaml(value)));
    if (security == null && !spec.exposed()) {
      Exposure.refuse(settings, spec.tree());
    } else if (security == null
        && Exposure.reachable(settings) != null
        && Files.isDirectory(spec.tree().resolve("plugins/millrace"))) {
      // the node asks the same question at its start
      settings.set("millrace.access.unprotected", "allowed");
    }
    List<String> yml = new ArrayList<>();
    yml.add("# Written by millrace at every start; own settings: millrace up -E key=value");
    yml.addAll(settings.lines());
    Files.write(to.resolve("opensearch.yml"), yml);
    return unknown;
  }

  /** Names of the profiles a tree has. */
  static List<String> profiles(Path tree) throws IOException {
    return list(tree.resolve("config/jvm-profiles")).stream()
        .map(p -> p.getFileName().toString())
        .sorted()
        .toList();
  }

  private static Map<String, String> settings(NodeSpec spec) {
    Map<String, String> s = new LinkedHashMap<>();
    s.put("cluster.name", spec.cluster());
    s.put("node.name", spec.name());
    s.put("path.data", spec.data().toString());
    s.put("path.logs", spec.logs().toString());
    s.put("network.host", spec.host());
    s.put("http.port", Integer.toString(spec.httpPort()));
    s.put("transport.port", Integer.toString(spec.transportPort()));
    if (spec.seeds().isEmpty()) {
      s.put("discovery.type", "single-node");
    } else {
      s.put("discovery.seed_hosts", String.join(",", spec.seeds()));
      if (!spec.initialManagers().isEmpty()) {
        s.put("cluster.initial_cluster_manager_nodes", String.join(",", spec.initialManagers()));
      }
    }
    return s;
  }

  private static List<String> pathFlags(NodeSpec spec) {
    return List.of(
        "-Xlog:gc*,gc+age=trace,safepoint:file="
            + spec.logs().resolve("gc.log")
            + ":utctime,level,pid,tags:filecount=8,filesize=32m",
        "-XX:ErrorFile=" + spec.logs().resolve("hs_err_pid%p.log"),
        "-XX:HeapDumpPath=" + spec.logs());
  }

  private static List<String> nodeFlags(NodeSpec spec) {
    List<String> flags = new ArrayList<>();
    flags.add("-Xms" + spec.heap());
    flags.add("-Xmx" + spec.heap());
    flags.addAll(spec.jvmOptions());
    return flags;
  }

  /** What {@code -E} was given: a list or a quoted value as it stands, else a scalar. */
  static String yaml(String value) {
    return value.matches("\\[.*]|\".*\"") ? value : YamlSettings.scalar(value);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }

  private static List<Path> list(Path dir) throws IOException {
    if (!Files.isDirectory(dir)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(dir)) {
      return files.sorted().toList();
    }
  }
}
