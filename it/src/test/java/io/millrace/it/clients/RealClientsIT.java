package io.millrace.it.clients;

import io.millrace.it.support.PythonClients;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Tree;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * opensearch-py, elasticsearch-py 7.x, the OpenTelemetry SDK and a handler that pushes to Loki,
 * installed from PyPI, against a node with every feature on.
 */
class RealClientsIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 1);

  @ParameterizedTest
  @CsvSource({
    "opensearch-py==3.2.0,bulk_client.py",
    "elasticsearch==7.10.1,bulk_client.py",
    "opentelemetry-exporter-otlp-proto-http==1.45.2,otlp_client.py",
    "python-logging-loki==0.3.1,loki_client.py"
  })
  void theClientFindsWhatItWrote(String requirement, String program) throws IOException {
    PythonClients.run(requirement, program, CLUSTER.http().base().toString(), Map.of());
  }
}
