package io.millrace.it.clients;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Tree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * opensearch-py, elasticsearch-py 7.x and the OpenTelemetry SDK, installed from PyPI, against a
 * node with every feature on.
 *
 * <p>Each program ({@code src/test/resources/clients}) loads with its own bulk helper or exporter,
 * counts and searches, and ends with 0 only if every answer is right.
 */
class RealClientsIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 1);

  @ParameterizedTest
  @CsvSource({
    "opensearch-py==3.2.0,opensearch_client.py",
    "elasticsearch==7.10.1,elasticsearch_client.py",
    "opentelemetry-exporter-otlp-proto-http==1.45.2,otlp_client.py"
  })
  void theClientFindsWhatItWrote(String requirement, String program) throws IOException {
    Path python = environment(requirement);
    Path script = Path.of("src/test/resources/clients", program).toAbsolutePath();
    Outcome outcome =
        Commands.run(python.toString(), script.toString(), CLUSTER.http().base().toString()).ok();
    assertTrue(outcome.output().contains("all answers right"), outcome.toString());
  }

  /** The interpreter of a virtual environment that holds the client, made once per checkout. */
  private static Path environment(String requirement) throws IOException {
    Path venv = Path.of("target/clients", requirement).toAbsolutePath();
    Path python = venv.resolve("bin/python");
    if (Files.exists(venv.resolve("ready"))) {
      return python;
    }
    try {
      Outcome made = Commands.run("python3", "-m", "venv", "--clear", venv.toString());
      Assumptions.assumeTrue(made.exitCode() == 0, "NOT TESTED, no python3 venv: " + made);
    } catch (IOException e) {
      Assumptions.abort("NOT TESTED: " + requirement + " needs python3: " + e.getMessage());
    }
    Commands.again(
            3,
            Path.of(""),
            Map.of("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
            List.of(python.toString(), "-m", "pip", "install", "-q", requirement, "urllib3<2"))
        .ok();
    Files.createFile(venv.resolve("ready"));
    return python;
  }
}
