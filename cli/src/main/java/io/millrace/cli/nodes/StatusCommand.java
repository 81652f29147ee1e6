package io.millrace.cli.nodes;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.millrace.client.failure.ExitCode;
import io.millrace.launcher.cluster.ClusterState;
import io.millrace.launcher.cluster.ClusterView;
import io.millrace.launcher.supervise.Incidents;
import io.millrace.launcher.supervise.Supervision;
import io.millrace.launcher.workspace.Workspace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code millrace status}: exit code 0 when every node lives and answers, 1 when one died or does
 * not answer or the cluster is red, 3 when nothing was started.
 */
@Command(name = "status", description = "Show what runs: health, documents, nodes.")
public final class StatusCommand extends NodeCommand {
  @Option(names = "--json", description = "print JSON, for scripts; its keys do not change")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    Workspace place = Workspace.locate();
    Optional<ClusterState> state = ClusterState.read(place.stateFile());
    if (state.isEmpty()) {
      if (json) {
        print(Map.of("running", false, "nodes", List.of()));
        return ExitCode.NOT_RUNNING;
      }
      running(place); // says so
    }
    ClusterView view = ClusterView.of(state.orElseThrow());
    Incidents incidents = new Incidents(place.run());
    boolean supervised = new Supervision(place).find().isPresent();
    if (json) {
      print(asJson(view, incidents, supervised));
    } else {
      asText(view, incidents, supervised);
    }
    return view.well() ? ExitCode.OK : ExitCode.FAILED;
  }

  private void print(Map<String, Object> value) throws Exception {
    out()
        .println(
            new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(value));
  }

  private static Map<String, Object> asJson(
      ClusterView view, Incidents incidents, boolean supervised) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("running", !view.state().living().isEmpty());
    json.put("cluster", view.state().cluster());
    json.put("jvm_profile", view.state().profile());
    json.put("url", view.url());
    json.put("status", view.status());
    json.put("documents", view.documents());
    json.put("bytes", view.bytes());
    json.put("indices", view.indices());
    json.put("started_at", view.state().startedAt());
    json.put("tree", view.state().tree());
    json.put("supervised", supervised);
    json.put(
        "nodes",
        view.state().nodes().stream()
            .map(node -> {
              Map<String, Object> n = new LinkedHashMap<>();
              boolean alive = node.alive();
              n.put("name", node.name());
              n.put("alive", alive);
              n.put("pid", node.pid());
              n.put("http_port", node.httpPort());
              n.put("transport_port", node.transportPort());
              n.put("heap", node.heap());
              n.put("data", node.data());
              n.put("log", node.log());
              n.put("incidents", incidents.of(node.name()));
              n.put("errors", alive ? List.of() : node.process().lastErrors(3));
              return n;
            })
            .toList());
    return json;
  }

  private void asText(ClusterView view, Incidents incidents, boolean supervised) {
    out()
        .printf(
            Locale.ROOT,
            "%s  %s, %s in %s, %,d MB%n",
            view.url(),
            view.status(),
            counted(view.documents(), "document", "documents"),
            counted(view.indices(), "index", "indices"),
            view.bytes() >> 20);
    for (ClusterState.Node node : view.state().nodes()) {
      boolean alive = node.alive();
      out()
          .printf(
              Locale.ROOT,
              "  %s  %s  port %d  heap %s  log %s%n",
              node.name(),
              alive
                  ? "pid " + node.pid()
                  : node.pid() == 0 ? "not started" : "DEAD (was pid " + node.pid() + ")",
              node.httpPort(),
              node.heap(),
              node.log());
      incidents
          .last(node.name(), view.state().startedAt())
          .ifPresent(last -> out().println("    " + said(last)));
      if (!alive) {
        node.process().lastErrors(3).forEach(line -> out().println("    " + line));
      }
    }
    if (view.state().living().size() < view.state().nodes().size()) {
      out().println("  start the missing nodes again: millrace up");
    }
    if (!supervised) {
      out().println("  not supervised: a node that dies stays down");
    }
  }

  private static String counted(long number, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
  }

  private static String said(Incidents.Incident last) {
    return last.action() + " at " + last.at() + ": " + last.reason();
  }
}
