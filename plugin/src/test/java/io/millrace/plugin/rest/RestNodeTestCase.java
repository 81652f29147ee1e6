package io.millrace.plugin.rest;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.millrace.plugin.MillracePlugin;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.jspecify.annotations.Nullable;
import org.opensearch.client.Request;
import org.opensearch.client.Response;
import org.opensearch.client.ResponseException;
import org.opensearch.client.RestClient;
import org.opensearch.common.network.NetworkAddress;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Settings;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;
import org.opensearch.transport.Netty4ModulePlugin;

/**
 * One data node with the whole plugin and the real HTTP server, in this JVM. Tests speak REST only,
 * so they hold against any cluster.
 */
@ClusterScope(
    scope = Scope.SUITE,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
@ThreadLeakScope(ThreadLeakScope.Scope.NONE)
public abstract class RestNodeTestCase extends OpenSearchIntegTestCase {

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(MillracePlugin.class, Netty4ModulePlugin.class, SetProcessor.TestPlugin.class);
  }

  @Override
  protected boolean addMockHttpTransport() {
    return false;
  }

  /** The mock engine takes the one engine slot, which is ours. */
  @Override
  protected boolean addMockInternalEngine() {
    return false;
  }

  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put(NetworkModule.HTTP_TYPE_KEY, Netty4ModulePlugin.NETTY_HTTP_TRANSPORT_NAME)
        .build();
  }

  /** Sends a request; an error status is an answer, too. */
  protected Answer call(String method, String path, String body) throws IOException {
    return call(getRestClient(), method, path, body);
  }

  protected Answer call(String method, String path) throws IOException {
    return call(method, path, "");
  }

  protected static Answer call(RestClient client, String method, String path, String body)
      throws IOException {
    Request request = new Request(method, path);
    if (!body.isEmpty()) {
      request.setJsonEntity(body);
    }
    try {
      return answer(client.performRequest(request));
    } catch (ResponseException e) {
      return answer(e.getResponse());
    }
  }

  private static Answer answer(Response response) throws IOException {
    try {
      String text = response.getEntity() == null ? "" : EntityUtils.toString(response.getEntity());
      return new Answer(response.getStatusLine().getStatusCode(), text);
    } catch (org.apache.hc.core5.http.ParseException e) {
      throw new IOException(e);
    }
  }

  /** As {@link #call}, and the answer must be a success. */
  protected Answer ok(String method, String path, String body) throws IOException {
    Answer answer = call(method, path, body);
    assertTrue(method + " " + path + " -> " + answer, answer.status() / 100 == 2);
    return answer;
  }

  protected Answer ok(String method, String path) throws IOException {
    return ok(method, path, "");
  }

  /** A bulk of which every item must succeed. */
  protected Answer bulk(String path, String lines) throws IOException {
    Answer answer = ok("POST", path, lines);
    assertEquals(answer.text(), Boolean.FALSE, answer.at("errors"));
    return answer;
  }

  /** Bulk lines: n times the action line and a small document. */
  protected static String items(String action, int n) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < n; i++) {
      lines.append(action).append("\n{\"n\":").append(i).append("}\n");
    }
    return lines.toString();
  }

  /** What the index says of a setting, its default included. */
  protected @Nullable Object setting(String index, String name) throws IOException {
    return ok("GET", "/" + index + "/_settings?flat_settings=true&include_defaults=true")
        .at(index + ".settings." + name.replace(".", "\\."));
  }

  /** A pipeline that gives every document this field. */
  protected void pipeline(String name, String field, String value) throws IOException {
    ok(
        "PUT",
        "/_ingest/pipeline/" + name,
        "{\"processors\":[{\"set\":{\"field\":\"" + field + "\",\"value\":\"" + value + "\"}}]}");
  }

  /** A client that speaks to one node only. */
  protected static RestClient clientOf(String node) {
    InetSocketAddress http =
        internalCluster()
            .getInstance(HttpServerTransport.class, node)
            .boundAddress()
            .publishAddress()
            .address();
    return RestClient.builder(
            new HttpHost("http", NetworkAddress.format(http.getAddress()), http.getPort()))
        .build();
  }
}
