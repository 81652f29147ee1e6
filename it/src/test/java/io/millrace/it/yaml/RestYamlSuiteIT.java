package io.millrace.it.yaml;

import static org.junit.Assert.fail;

import com.carrotsearch.randomizedtesting.annotations.Name;
import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import com.carrotsearch.randomizedtesting.annotations.TimeoutSuite;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hc.core5.http.HttpHost;
import org.jspecify.annotations.Nullable;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.AssumptionViolatedException;
import org.junit.BeforeClass;
import org.opensearch.client.Request;
import org.opensearch.client.RequestOptions;
import org.opensearch.client.RestClient;
import org.opensearch.client.RestClientBuilder;
import org.opensearch.client.WarningsHandler;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.rest.yaml.ClientYamlTestCandidate;
import org.opensearch.test.rest.yaml.OpenSearchClientYamlSuiteTestCase;

/**
 * OpenSearch's own REST tests against a node with every feature on: what passes on the same node
 * without the plugin passes with it.
 *
 * <p>{@code org.opensearch:rest-api-spec:3.1.0} is the newest suite on Maven Central; some of its
 * tests fail on stock 3.8.0. They stand with their reasons in {@code yaml/known-failures.txt}, and
 * have to fail here as well: one that passes is an error, so that the list cannot rot.
 *
 * <ul>
 *   <li>{@code -Dmillrace.yaml=all}: everything; without it the folders of {@code
 *       yaml/bounded.txt}; or a comma-separated list of folders and files
 *   <li>{@code -Dmillrace.yaml.tree=stock}: the baseline, a node without the plugin
 *   <li>{@code -Dmillrace.yaml.optin=true}: a template also opts every index that the suite makes
 *       in to every feature of ours ({@link OptIn}), with {@code -Dmillrace.yaml.shards=3} on three
 *       shards
 *   <li>{@code -Dmillrace.yaml.secured=https://127.0.0.1:9200}: a node that runs already, started
 *       with {@code up --secure -E path.repo=DIR -E node.attr.testattr=test -E
 *       millrace.write.templates.enabled=false}, as {@code MILLRACE_USER}; {@link SecuredNode}
 * </ul>
 */
@TimeoutSuite(millis = 2 * 60 * 60 * 1000)
@ThreadLeakScope(ThreadLeakScope.Scope.NONE)
public final class RestYamlSuiteIT extends OpenSearchClientYamlSuiteTestCase {
  private static final String TREE = "millrace.yaml.tree";
  private static Cluster cluster;
  private static @Nullable SecuredNode secured;

  private final String path;

  public RestYamlSuiteIT(@Name("yaml") ClientYamlTestCandidate candidate) {
    super(candidate);
    path = candidate.getTestPath();
  }

  @ParametersFactory
  public static Iterable<Object[]> parameters() throws Exception {
    List<Object[]> chosen = new ArrayList<>();
    SuiteSelection selection = SuiteSelection.fromProperties();
    for (Object[] candidate : createParameters()) {
      if (selection.holds(((ClientYamlTestCandidate) candidate[0]).getTestPath())) {
        chosen.add(candidate);
      }
    }
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException("-Dmillrace.yaml=" + selection + " names no test");
    }
    return chosen;
  }

  @BeforeClass
  public static void startNode() throws Exception {
    SecuredNode running = SecuredNode.named();
    if (running != null) {
      secured = running;
      System.setProperty("tests.rest.cluster", running.address());
      System.setProperty("tests.clustername", "any");
      return;
    }
    Tree tree = Tree.valueOf(System.getProperty(TREE, "millrace").trim().toUpperCase(Locale.ROOT));
    Cluster.Builder plan = Cluster.of(tree, 1).set("node.attr.testattr", "test");
    if (tree == Tree.MILLRACE) {
      // the suite lists all templates, and expects those that it made
      plan.set("millrace.write.templates.enabled", "false");
    }
    cluster = plan.start();
    System.setProperty("tests.rest.cluster", "127.0.0.1:" + cluster.node(0).port());
    System.setProperty("tests.clustername", "any");
  }

  @AfterClass
  public static void stopNode() {
    Cluster started = cluster;
    cluster = null;
    secured = null;
    System.clearProperty("tests.rest.cluster");
    if (started != null) {
      started.close();
    }
  }

  @Override
  protected RestClient buildClient(Settings settings, HttpHost[] hosts) throws IOException {
    SecuredNode running = secured;
    if (running == null) {
      return super.buildClient(settings, hosts);
    }
    RestClientBuilder client = RestClient.builder(hosts);
    configureClient(client, settings);
    running.trust(client);
    client.setStrictDeprecationMode(true);
    return client.build();
  }

  @Override
  protected String getProtocol() {
    return secured == null ? super.getProtocol() : "https";
  }

  @Override
  protected Settings restClientSettings() {
    SecuredNode running = secured;
    return running == null ? super.restClientSettings() : running.client();
  }

  @Override
  public void test() throws IOException {
    if (Boolean.getBoolean("millrace.yaml.optin")) {
      optIn();
    }
    Map<String, String> known = KnownFailures.read();
    String reason = known.get(path);
    if (reason == null) {
      super.test();
      return;
    }
    try {
      super.test();
    } catch (AssumptionViolatedException skipped) {
      throw skipped;
    } catch (AssertionError | Exception expected) {
      logger.info("[{}] fails as on stock: {}", path, reason);
      return;
    }
    fail(
        "["
            + path
            + "] passes, but yaml/known-failures.txt says that it fails ("
            + reason
            + "): take it off the list");
  }

  @After
  public void optOut() throws IOException {
    // the suite's own cleaning asserts nothing about templates that it did not make
    Request request = new Request("DELETE", "/_template/millrace-opt-in");
    request.addParameter("ignore", "404");
    adminClient().performRequest(request);
  }

  private static void optIn() throws IOException {
    Request request = new Request("PUT", "/_template/millrace-opt-in");
    request.setJsonEntity(OptIn.template(Integer.getInteger("millrace.yaml.shards", 1)));
    RequestOptions.Builder options = RequestOptions.DEFAULT.toBuilder();
    options.setWarningsHandler(WarningsHandler.PERMISSIVE);
    request.setOptions(options);
    adminClient().performRequest(request);
  }
}
