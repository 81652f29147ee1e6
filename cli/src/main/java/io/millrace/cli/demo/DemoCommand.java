package io.millrace.cli.demo;

import io.millrace.launcher.cluster.ClusterUrls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code millrace demo}: {@link Demo} against a node that runs already. */
@Command(name = "demo", description = "Stream logs into a running node and search them.")
public final class DemoCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = {"-u", "--url"},
      split = ",",
      paramLabel = "URL",
      description = "nodes to use (default: as for ingest)")
  private List<String> urls = new ArrayList<>();

  @Option(names = "--corpus", paramLabel = "DIR", description = "take real lines from DIR/*.log")
  private @Nullable Path corpus;

  @Option(
      names = "--docs",
      paramLabel = "N",
      description = "documents to load (default: ${DEFAULT-VALUE})")
  private long documents = 200_000;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "stop loading after this time (default: ${DEFAULT-VALUE})")
  private int seconds = 60;

  @Option(
      names = "--compare",
      description = "start a stock node beside it, load the same, and print what both take")
  private boolean compare;

  @Override
  public Integer call() {
    if (documents < 1 || seconds < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--docs and --seconds must be at least 1, were " + documents + " and " + seconds);
    }
    Demo.Options options =
        new Demo.Options(ClusterUrls.choose(urls), corpus, documents, seconds, compare);
    return new Demo(options, spec.commandLine().getOut(), spec.commandLine().getErr()).run();
  }
}
