package io.millrace.launcher.cluster;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.node.NodeProcess;
import io.millrace.launcher.secure.LocalSecrets;
import io.millrace.launcher.secure.NodeAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What {@code up} started, in {@code cluster.json}: read by {@code status}, {@code logs}, {@code
 * down} and the next {@code up}.
 *
 * @param version of this file's form
 * @param profile given at {@code up}; {@code null} without
 * @param startedAt ISO 8601
 * @param settings given at {@code up}, in the order of their keys; {@code null} in a file of a
 *     version that did not record them
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ClusterState(
    int version,
    String cluster,
    @Nullable String profile,
    String startedAt,
    String tree,
    List<Node> nodes,
    @Nullable Map<String, String> settings) {
  public static final int VERSION = 1;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  public ClusterState {
    settings = settings == null ? null : Collections.unmodifiableMap(new TreeMap<>(settings));
  }

  /**
   * @param pid 0 for a node whose start was planned and has not come
   * @param startStamp tells this process from a later one with the same pid
   * @param secrets folder with what a request to this node needs ({@link LocalSecrets}); {@code
   *     null} for a node that is not secured
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Node(
      String name,
      long pid,
      long startStamp,
      int httpPort,
      int transportPort,
      String heap,
      String data,
      String log,
      String console,
      @Nullable String secrets) {
    /** The process, which may have ended. */
    public NodeProcess process() {
      return NodeProcess.attach(pid, startStamp, access(), Path.of(log), Path.of(console));
    }

    /** The same node as another process. */
    public Node startedAs(NodeProcess process) {
      return new Node(
          name,
          process.pid(),
          process.startStamp(),
          httpPort,
          transportPort,
          heap,
          data,
          log,
          console,
          secrets);
    }

    /** How a request from this machine reaches it. */
    @JsonIgnore
    public NodeAccess access() {
      return new NodeAccess(httpPort, secrets == null ? null : new LocalSecrets(Path.of(secrets)));
    }

    @JsonIgnore
    public boolean alive() {
      return process().alive();
    }
  }

  /** The same cluster with these nodes. */
  public ClusterState withNodes(List<Node> now) {
    return new ClusterState(version, cluster, profile, startedAt, tree, now, settings);
  }

  /** Nodes whose process lives. */
  public List<Node> living() {
    return nodes.stream().filter(Node::alive).toList();
  }

  /** Empty when nothing was ever started here, or it was stopped. */
  public static Optional<ClusterState> read(Path file) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(Files.readAllBytes(file), ClusterState.class));
    } catch (JsonProcessingException e) {
      throw new ExpectedFailure(
          ExitCode.FAILED,
          "the state file " + file + " is damaged: " + e.getOriginalMessage(),
          "If no node runs any more, remove it.",
          e);
    } catch (IOException e) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT, "cannot read " + file + ": " + e.getMessage(), null, e);
    }
  }

  /** Replaces the file at once: a reader sees the old or the new one. */
  public void write(Path file) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.write(part, JSON.writeValueAsBytes(this));
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
