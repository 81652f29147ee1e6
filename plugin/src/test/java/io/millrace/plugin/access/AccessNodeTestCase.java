package io.millrace.plugin.access;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.millrace.credential.Operators;
import io.millrace.credential.PasswordHash;
import io.millrace.plugin.MillracePlugin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.After;
import org.junit.Before;
import org.opensearch.common.network.NetworkAddress;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;
import org.opensearch.transport.Netty4ModulePlugin;

/** One node with access on and an operator {@code admin}; tests speak HTTP. */
@ClusterScope(
    scope = Scope.SUITE,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
@ThreadLeakScope(ThreadLeakScope.Scope.NONE)
public abstract class AccessNodeTestCase extends OpenSearchIntegTestCase {
  static final String PASSWORD = "correct horse";
  static final String ADMIN = basic("admin", PASSWORD);

  /** One per test: its kept connections count as open channels of the node. */
  private static @Nullable HttpClient http;

  /** What came back. */
  record Answer(int status, String text) {
    @Nullable Object at(String path) {
      Object here = XContentHelper.convertToMap(XContentType.JSON.xContent(), text, false);
      for (String step : path.split("\\.")) {
        here =
            here instanceof Map<?, ?> map
                ? map.get(step)
                : here instanceof List<?> list ? list.get(Integer.parseInt(step)) : null;
      }
      return here;
    }

    String string(String path) {
      return String.valueOf(at(path));
    }
  }

  @Before
  public void connect() {
    http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  }

  @After
  public void disconnect() {
    HttpClient client = http;
    if (client != null) {
      client.shutdownNow();
      client.close();
      http = null;
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(MillracePlugin.class, Netty4ModulePlugin.class);
  }

  @Override
  protected boolean addMockHttpTransport() {
    return false;
  }

  @Override
  protected boolean addMockInternalEngine() {
    return false;
  }

  @Override
  protected Path nodeConfigPath(int nodeOrdinal) {
    Path config = createTempDir();
    try {
      Path file = config.resolve(Operators.PATH);
      Files.createDirectories(file.getParent());
      Files.writeString(
          file, Operators.with("", "admin", PasswordHash.of(PASSWORD.toCharArray(), 1_000)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return config;
  }

  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put(NetworkModule.HTTP_TYPE_KEY, "millrace")
        .put("millrace.access.enabled", true)
        .build();
  }

  static String basic(String name, String password) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  static URI uri(String path) {
    InetSocketAddress http =
        internalCluster()
            .getDataNodeInstance(HttpServerTransport.class)
            .boundAddress()
            .publishAddress()
            .address();
    return URI.create("http://" + NetworkAddress.format(http) + path);
  }

  /**
   * Sends a request.
   *
   * @param authorization null for none
   */
  static Answer call(@Nullable String authorization, String method, String path, String body)
      throws Exception {
    return call(authorization, method, path, body, Map.of());
  }

  static Answer call(
      @Nullable String authorization,
      String method,
      String path,
      String body,
      Map<String, String> headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .timeout(Duration.ofSeconds(60))
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    headers.forEach(request::header);
    HttpResponse<String> response =
        Objects.requireNonNull(http).send(request.build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(response.statusCode(), response.body());
  }

  static Answer call(@Nullable String authorization, String method, String path) throws Exception {
    return call(authorization, method, path, "");
  }

  /** As the operator, and it must be a success. */
  static Answer admin(String method, String path, String body) throws Exception {
    Answer answer = call(ADMIN, method, path, body);
    assertEquals(method + " " + path + " -> " + answer, 2, answer.status() / 100);
    return answer;
  }

  /** Makes a user with one role of these privileges on a pattern, and answers its header. */
  static String user(String name, String pattern, String... privileges) throws Exception {
    admin(
        "PUT",
        "/_millrace/access/roles/" + name,
        "{\"indices\":[{\"names\":[\""
            + pattern
            + "\"],\"privileges\":[\""
            + String.join("\",\"", privileges)
            + "\"]}]}");
    return withRoles(name, name);
  }

  static String withRoles(String name, String... roles) throws Exception {
    String list = roles.length == 0 ? "" : "\"" + String.join("\",\"", roles) + "\"";
    admin(
        "PUT",
        "/_millrace/access/users/" + name,
        "{\"password\":\"" + PASSWORD + name + "\",\"roles\":[" + list + "]}");
    return basic(name, PASSWORD + name);
  }

  static void assertStatus(int status, Answer answer) {
    assertEquals(answer.toString(), status, answer.status());
  }
}
