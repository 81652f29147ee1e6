package io.millrace.launcher.cluster;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.machine.PortHolder;
import io.millrace.launcher.node.NodeSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ports of the nodes on this machine: those the user named, else the first that are free. */
final class NodePorts {
  /** HTTP to transport. */
  static final int PEER = 100;

  private static final int DEFAULT = 9200;

  /** Below it only root may listen, and the server never runs as root. */
  private static final int LEAST = 1024;

  private NodePorts() {}

  /**
   * @return HTTP port of the first node
   * @throws ExpectedFailure when a port the user named is taken or impossible, or none is free
   */
  static int choose(@Nullable Integer asked, int nodes, List<String> notes) {
    if (asked != null) {
      if (asked < LEAST || asked + PEER + nodes > 65536) {
        throw new ExpectedFailure(
            ExitCode.USAGE,
            "--port " + asked + " is not possible",
            "Give a port from " + LEAST + " to " + (65535 - PEER - nodes) + ".");
      }
      int taken = firstTaken(asked, nodes);
      if (taken > 0) {
        throw taken(
            taken,
            "Stop that process, or choose another --port (the nodes take "
                + span(asked, nodes)
                + " and "
                + span(asked + PEER, nodes)
                + ").");
      }
      return asked;
    }
    int taken = firstTaken(DEFAULT, nodes);
    if (taken == 0) {
      return DEFAULT;
    }
    int step = Math.max(10, nodes);
    for (int port = DEFAULT + step; port + nodes <= DEFAULT + PEER; port += step) {
      if (firstTaken(port, nodes) == 0) {
        notes.add(why(taken) + "; using " + port + " instead");
        return port;
      }
    }
    throw new ExpectedFailure(
        ExitCode.ENVIRONMENT,
        "no free ports between " + DEFAULT + " and " + (DEFAULT + PEER),
        "Choose one with --port.");
  }

  /**
   * For nodes that are to come back where their clients know them.
   *
   * @throws ExpectedFailure when somebody has taken a port of theirs
   */
  static void requireFree(List<NodeSpec> specs) {
    for (NodeSpec spec : specs) {
      for (int port : new int[] {spec.httpPort(), spec.transportPort()}) {
        if (!PortHolder.free(port)) {
          throw taken(
              port,
              spec.name()
                  + " had it before. Stop that process, or choose another port: millrace up --port");
        }
      }
    }
  }

  private static ExpectedFailure taken(int port, String remedy) {
    return new ExpectedFailure(ExitCode.ENVIRONMENT, why(port), remedy);
  }

  /** Who has the port; when nobody listens there, why it cannot be had all the same. */
  private static String why(int port) {
    return new PortHolder()
        .of(port)
        .map(holder -> "port " + port + " is taken by " + holder)
        .orElseGet(() ->
            "nobody listens on port "
                + port
                + ", yet it cannot be used: "
                + PortHolder.refusal(port).orElse("it was taken until a moment ago"));
  }

  private static String span(int port, int nodes) {
    return nodes == 1 ? Integer.toString(port) : port + "-" + (port + nodes - 1);
  }

  private static int firstTaken(int port, int nodes) {
    for (int i = 0; i < nodes; i++) {
      for (int p : new int[] {port + i, port + PEER + i}) {
        if (!PortHolder.free(p)) {
          return p;
        }
      }
    }
    return 0;
  }
}
