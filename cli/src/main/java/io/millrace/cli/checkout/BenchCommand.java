package io.millrace.cli.checkout;

import io.millrace.cli.terminal.Version;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.workspace.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code millrace bench ...}: hands on to the program in {@code benchmarks/}, which is not part of
 * the distribution: {@code benchmarks/target/millrace-benchmarks-VERSION.jar}, which names its
 * class path and main class itself. The launcher script builds it when the first word is {@code
 * bench}.
 */
@Command(name = "bench", description = "Measure stock against Millrace: ingest, size, search.")
public final class BenchCommand implements Callable<Integer> {
  @Parameters(paramLabel = "ARG", arity = "0..*", description = "of the benchmark")
  private List<String> args = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    Workspace place = Workspace.locate();
    Path checkout = place.checkout();
    if (checkout == null) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "an installed distribution has no benchmarks",
          "Run ./millrace bench in a checkout of the sources.");
    }
    Path jar =
        checkout.resolve("benchmarks/target/millrace-benchmarks-" + Version.ofMillrace() + ".jar");
    if (!Files.exists(jar)) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT,
          "the benchmarks are not built",
          "Build them: mvn -q -pl benchmarks -am package -DskipTests");
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-D" + Workspace.TREE + "=" + place.source(),
                "-D" + Workspace.CHECKOUT + "=" + checkout,
                "--enable-native-access=ALL-UNNAMED",
                "-jar",
                jar.toString()));
    command.addAll(args);
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }
}
