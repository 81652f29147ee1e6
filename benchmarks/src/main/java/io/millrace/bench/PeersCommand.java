package io.millrace.bench;

import io.millrace.bench.peers.PeerRun;
import io.millrace.bench.peers.PeerSide;
import io.millrace.bench.peers.PeerSides;
import io.millrace.bench.run.RunProgress;
import io.millrace.bench.run.TreeNodes;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Other stores of logs beside stock and Millrace. */
@Command(
    name = "peers",
    description =
        "Other stores of logs beside stock and Millrace: writing, bytes, five searches, answers.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class PeersCommand implements Callable<Integer> {
  @Option(
      names = "--side",
      split = ";",
      paramLabel = "NAME",
      description = "which sides, in this order, with semicolons between (default: all)")
  private List<String> names = List.of();

  @Option(
      names = "--docs",
      paramLabel = "N",
      defaultValue = "300000",
      description = "documents of a side and round (default: ${DEFAULT-VALUE})")
  private long docs;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "2",
      description = "how often every side is measured (default: ${DEFAULT-VALUE})")
  private int rounds;

  @Option(
      names = "--searches",
      paramLabel = "N",
      defaultValue = "50",
      description = "different searches of a kind (default: ${DEFAULT-VALUE})")
  private int searches;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "1g",
      description = "heap of the nodes (default: ${DEFAULT-VALUE})")
  private String heap = "1g";

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "2",
      description = "concurrent requests of a load over HTTP (default: ${DEFAULT-VALUE})")
  private int workers;

  @Option(
      names = "--bulk",
      paramLabel = "N",
      defaultValue = "1000",
      description = "documents of a request (default: ${DEFAULT-VALUE})")
  private int bulk;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "100000",
      description = "documents a node loads before (default: ${DEFAULT-VALUE})")
  private long warmUp;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "7",
      description = "of documents and searches (default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "19800",
      description = "HTTP port of nodes and servers, and the next one (default: ${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = "--installed",
      paramLabel = "DIR",
      description = "what benchmarks/peers/install has made (default: .millrace/peers)")
  private @Nullable Path installed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "where peers.md and peers.json go (default: .millrace/bench/TIME)")
  private @Nullable Path out;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "where the stores live during the run (default: OUT/work)")
  private @Nullable Path work;

  @Option(
      names = "--stock-tree",
      paramLabel = "DIR",
      description = "the stock node (default: distribution/target/stock-*)")
  private @Nullable Path stockTree;

  @Option(
      names = "--millrace-tree",
      paramLabel = "DIR",
      description = "the Millrace node (default: distribution/target/millrace-*)")
  private @Nullable Path millraceTree;

  @Override
  public Integer call() throws IOException {
    Checks.atLeast("--docs", docs, 1000);
    Checks.atLeast("--rounds", rounds, 1);
    Checks.atLeast("--searches", searches, 1);
    Checks.atLeast("--workers", workers, 1);
    Checks.atLeast("--bulk", bulk, 1);
    Checks.atLeast("--warm-up", warmUp, 0);
    Checks.heap(heap);
    Path root = Checkout.root();
    TreeNodes nodes =
        new TreeNodes(
            Checkout.tree(root, stockTree, "stock-"),
            Checkout.tree(root, millraceTree, "millrace-"),
            heap,
            port);
    Path libraries = installed == null ? root.resolve(".millrace/peers") : installed;
    PeerSides sides =
        new PeerSides(
            nodes, root.resolve("benchmarks/peers"), libraries.toAbsolutePath(), port, workers);
    List<PeerSide> chosen = sides.named(names.isEmpty() ? sides.names() : names);
    Path folder = Checkout.report(root, out);
    Path stores = Files.createDirectories(work == null ? folder.resolve("work") : work);
    PrintStream print = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    PeerRun.Plan plan =
        new PeerRun.Plan(
            docs, rounds, warmUp, bulk, searches, seed, stores.toAbsolutePath(), folder);
    RunProgress progress = new TerminalProgress(print, TerminalProgress.isTerminal());
    print.println(new PeerRun(plan, chosen, sides.names(), progress).run());
    print.println("tables: " + folder.resolve("peers.md"));
    return 0;
  }
}
