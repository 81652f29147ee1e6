package io.millrace.cli.nodes;

import io.millrace.client.Health;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.cluster.ClusterPlan;
import io.millrace.launcher.cluster.ClusterPlanner;
import io.millrace.launcher.cluster.ClusterState;
import io.millrace.launcher.cluster.LocalCluster;
import io.millrace.launcher.cluster.UpRequest;
import io.millrace.launcher.node.NodeSpec;
import io.millrace.launcher.secure.SecuredWorkspace;
import io.millrace.launcher.supervise.Supervision;
import io.millrace.launcher.workspace.OptionalPlugins;
import io.millrace.launcher.workspace.RootFolder;
import io.millrace.launcher.workspace.ServerUser;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code millrace up}: from nothing to a green cluster on the loopback address.
 *
 * <p>{@code --demo} hands over to the subcommand {@code demo} once the nodes are ready, in the
 * caller's process: under root it may read files the server's user may not.
 */
@Command(
    name = "up",
    description =
        "Start a node, or a cluster of several on this machine, and wait until it serves.")
public final class UpCommand extends NodeCommand {
  @Option(names = "--nodes", paramLabel = "N", description = "nodes of the cluster (default 1)")
  private @Nullable Integer nodes;

  @Option(
      names = "--port",
      paramLabel = "P",
      description =
          "HTTP port of the first node (default 9200, or a free one); nodes talk to each "
              + "other on port + 100")
  private @Nullable Integer port;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description =
          "heap per node, such as 512m or 4g (default: a quarter of the memory, at most 4g; with"
              + " --jvm-profile half of it, at most 31g)")
  private @Nullable String heap;

  @Option(
      names = "--jvm-profile",
      paramLabel = "NAME",
      description =
          "logs, traces or search: JVM flags, heap and settings for that use, and a check of the"
              + " machine")
  private @Nullable String jvmProfile;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "keep the documents in DIR/node-1, DIR/node-2, ...")
  private @Nullable Path data;

  @Option(
      names = "-E",
      paramLabel = "KEY=VALUE",
      description = "a setting for opensearch.yml; repeatable")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--plugin",
      paramLabel = "NAME",
      split = ",",
      description =
          "also load this plugin of optional/, such as kafka; later starts load it, too, until"
              + " --plugin none")
  private List<String> plugins = new ArrayList<>();

  @Option(
      names = "--secure",
      negatable = true,
      description = {
        "TLS for clients and between nodes, and nobody without a password; prints the first one.",
        "Later starts stay secured; --no-secure ends that"
      })
  private @Nullable Boolean secure;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description =
          "address of this machine at which others reach the nodes, beside loopback; needs --secure")
  private @Nullable String host;

  @Option(
      names = "--without-security",
      description = "let other machines reach nodes that let everybody in")
  private boolean exposed;

  @Option(names = "--foreground", description = "run one node in this terminal until Ctrl-C")
  private boolean foreground;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "how long to wait until it serves (default ${DEFAULT-VALUE})")
  private int timeout = 180;

  @Option(
      names = "--supervise",
      paramLabel = "SECONDS",
      description =
          "restart a node that dies or gives no answer for this long; 0 restarts none "
              + "(default ${DEFAULT-VALUE})")
  private int supervise = Supervision.SECONDS;

  @Option(names = "--demo", description = "after the start, load a demo and show its searches")
  private boolean demo;

  @Option(
      names = "--corpus",
      paramLabel = "DIR",
      description = "with --demo: log files of your own instead of generated lines")
  private @Nullable Path corpus;

  @Option(
      names = "--compare",
      description =
          "with --demo: start a stock node beside it, load the same, and print what both take")
  private boolean compare;

  @Override
  public Integer call() throws Exception {
    if (nodes != null && (nodes < 1 || nodes > 20)) {
      throw new ExpectedFailure(
          ExitCode.USAGE, "--nodes " + nodes + " is not possible", "Give 1 to 20.");
    }
    if (foreground && nodes != null && nodes > 1) {
      throw new ExpectedFailure(
          ExitCode.USAGE, "--foreground runs one node", "Leave out --nodes " + nodes + ".");
    }
    if (corpus != null && !demo) {
      throw new ExpectedFailure(
          ExitCode.USAGE, "--corpus goes with --demo", "Add --demo, or load it: millrace ingest.");
    }
    if (compare && (!demo || (nodes != null && nodes > 1))) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "--compare goes with --demo on one node",
          "Give --demo, and leave out --nodes.");
    }
    if (supervise < 0 || (supervise > 0 && supervise < 3) || supervise > 3600) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "--supervise " + supervise + " is not possible",
          "Give 3 to 3600 seconds, longer than the longest pause of a collection; or 0.");
    }
    if (host != null) {
      bind(host);
    }
    if (data != null) {
      data = Unprivileged.asCalled(data);
    }
    Workspace place = Workspace.locate();
    place.requirePlain();
    if (!plugins.isEmpty()) {
      if (ServerUser.root()) {
        RootFolder.make(place.base());
      }
      new OptionalPlugins(place).choose(plugins);
    }
    int code = asServerUser(place, data);
    if (code < 0) {
      try (AutoCloseable lock = exclusively(place)) {
        code = up(place);
      }
    }
    return code == 0 && demo && !Unprivileged.isRerun() ? demo(place) : code;
  }

  private int up(Workspace place) throws IOException, InterruptedException {
    Optional<ClusterState> before = ClusterState.read(place.stateFile());
    List<ClusterState.Node> living = before.map(ClusterState::living).orElse(List.of());
    LocalCluster cluster = new LocalCluster(place);
    UpRequest request =
        new UpRequest(nodes, port, heap, jvmProfile, data, secure, exposed, settings);
    if (before.isPresent() && !living.isEmpty() && living.size() == before.get().nodes().size()) {
      supervise(place, false);
      return already(cluster, before.get(), request);
    }
    syncTree(place);
    ClusterPlan plan =
        new ClusterPlanner(place, Path.of(System.getProperty("java.home")))
            .plan(request, before.orElse(null), living);
    plan.notes().forEach(n -> err().println("note: " + n));
    SecuredWorkspace secured = new SecuredWorkspace(place);
    boolean opens = living.isEmpty() && plan.specs().getFirst().security() == null;
    secure(secured, plan);
    if (foreground) {
      NodeSpec spec = plan.specs().getFirst();
      out().println(spec.access().url() + "  heap " + spec.heap());
      out().flush();
      return cluster.runInForeground(plan);
    }
    long start = System.nanoTime();
    Waiting waiting = new Waiting(err(), plan.specs().size());
    List<String> notes = new ArrayList<>();
    Health health;
    try {
      health = cluster.start(plan, Duration.ofSeconds(timeout), waiting, notes);
    } finally {
      waiting.end();
    }
    notes.stream().distinct().forEach(n -> err().println("note: " + n));
    if (opens) {
      secured.off(); // they started: only now is it what the workspace is
    }
    supervise(place, living.isEmpty());
    ClusterState state = running(place);
    report(state, health, (System.nanoTime() - start) / 1e9);
    if (!living.isEmpty()) {
      notApplied(request, state);
    }
    return ExitCode.OK;
  }

  /** What {@code --host} stands for, as the setting that is recorded. */
  private void bind(String address) {
    if (settings.containsKey("network.host")) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "--host " + address + " and -E network.host say different things",
          "Leave one of them out.");
    }
    if (!address.matches("[A-Za-z0-9._:%-]+")) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "--host \"" + address + "\" is no address",
          "Give one address or host name of this machine, or 0.0.0.0 for all.");
    }
    boolean loopbackToo = !address.equals("0.0.0.0") && !address.equals("::");
    settings.put(
        "network.host", loopbackToo ? "[127.0.0.1, \"" + address + "\"]" : '"' + address + '"');
  }

  /** Makes what secured nodes need, and tells the first password, once. */
  private void secure(SecuredWorkspace secured, ClusterPlan plan) throws IOException {
    if (plan.specs().getFirst().security() == null) {
      return;
    }
    boolean before = secured.on();
    List<String> notes = new ArrayList<>();
    Optional<String> password =
        secured.prepare(
            plan.specs().stream().map(NodeSpec::name).toList(),
            plan.settings() == null ? Map.of() : plan.settings(),
            notes);
    notes.forEach(n -> err().println("note: " + n));
    // before the start: what fails there must not take the only copy along
    password.ifPresent(told -> {
      out().println("user: " + SecuredWorkspace.FIRST);
      out().println("password: " + told);
      out().flush();
    });
    if (before && secure == null) {
      err().println("note: secured, as an earlier up --secure said; to end that: --no-secure");
    }
  }

  private void supervise(Workspace place, boolean served) throws IOException {
    if (supervise > 0) {
      new Supervision(place).start(supervise, served, terminal().program());
    }
  }

  private int already(LocalCluster cluster, ClusterState state, UpRequest request)
      throws IOException, InterruptedException {
    Duration patience = Duration.ofSeconds(timeout);
    Waiting waiting = new Waiting(err(), state.nodes().size());
    try {
      cluster.awaitJoined(state, patience, waiting);
      cluster.awaitNotRed(state, patience, waiting);
    } finally {
      waiting.end();
    }
    out()
        .println(
            "already running: "
                + state.nodes().getFirst().access().url()
                + "  (pid "
                + pids(state)
                + ")");
    notApplied(request, state);
    boolean open = state.nodes().getFirst().secrets() == null;
    return Boolean.TRUE.equals(secure) && open ? ExitCode.FAILED : ExitCode.OK;
  }

  private void notApplied(UpRequest request, ClusterState state) {
    if (!plugins.isEmpty()) {
      err()
          .println(
              "note: --plugin: nodes that run already have the plugins that they started with;"
                  + " for others: millrace down, then millrace up");
    }
    List<String> differ = request.differences(state);
    if (!differ.isEmpty()) {
      out().println("not applied: " + String.join("; ", differ));
      out().println("To apply it: millrace down, then millrace up again.");
    }
  }

  private void report(ClusterState state, Health health, double seconds) {
    ClusterState.Node first = state.nodes().getFirst();
    int n = state.nodes().size();
    out()
        .printf(
            Locale.ROOT,
            "%s  %s, %d %s, ready after %.1f s%n",
            first.access().url(),
            health.status(),
            n,
            n == 1 ? "node" : "nodes",
            seconds);
    for (ClusterState.Node node : state.nodes()) {
      out()
          .printf(
              Locale.ROOT,
              "  %s  pid %d  port %d  heap %s  log %s%n",
              node.name(),
              node.pid(),
              node.httpPort(),
              node.heap(),
              node.log());
    }
    if (first.secrets() != null) {
      out().println("  clients trust " + first.secrets() + "/http-ca.crt");
    }
    if (health.status().equals("yellow")) {
      out().println("  yellow: replicas have no second node to go to");
    }
    out().flush();
  }

  private static String pids(ClusterState state) {
    return String.join(
        ", ", state.nodes().stream().map(node -> Long.toString(node.pid())).toList());
  }

  private int demo(Workspace place) {
    CommandLine command = spec.root().commandLine().getSubcommands().get("demo");
    if (command == null) {
      throw new ExpectedFailure(ExitCode.FAILED, "this build has no demo", null);
    }
    List<String> args = new ArrayList<>();
    args.add("--url=" + running(place).nodes().getFirst().access().url());
    if (corpus != null) {
      args.add("--corpus=" + corpus);
    }
    if (compare) {
      args.add("--compare");
    }
    return command.execute(args.toArray(String[]::new));
  }
}
