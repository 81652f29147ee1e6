package io.millrace.access.admin;

import static org.opensearch.rest.RestRequest.Method.DELETE;
import static org.opensearch.rest.RestRequest.Method.GET;
import static org.opensearch.rest.RestRequest.Method.POST;

import io.millrace.access.identity.Identity;
import io.millrace.access.login.Authenticator;
import io.millrace.access.store.Permissions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestBuilderListener;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code /_millrace/access/keys}: everybody's own; the superuser sees and revokes all.
 *
 * <p>The secret is made here, answered once and never kept: only its digest goes on.
 */
public final class RestKeysAction extends BaseRestHandler {
  private static final String BASE = "/_millrace/access/keys";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Changes changes;

  /** Keys of the same store as users. */
  public RestKeysAction(Changes changes) {
    this.changes = changes;
  }

  @Override
  public String getName() {
    return "millrace_access_keys_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(GET, BASE), new Route(POST, BASE), new Route(DELETE, BASE + "/{id}"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client)
      throws IOException {
    changes.requireOn();
    String id = request.param("id");
    Identity who = Identity.of(client.threadPool().getThreadContext());
    Permissions permissions = who == null ? null : changes.store().permissions(who);
    // somebody who is gone meanwhile has none
    boolean every = who == null || (permissions != null && permissions.superuser());
    return switch (request.method()) {
      case GET -> channel -> RestAccessAction.answer(channel, list(who, every));
      case DELETE -> {
        ActionType<AcknowledgedResponse> action =
            every ? AnyChangeAction.INSTANCE : OwnChangeAction.INSTANCE;
        yield channel ->
            client.execute(
                action,
                new ChangeRequest(new Change(Change.Kind.KEY, id, null)),
                new RestToXContentListener<>(channel));
      }
      default -> create(request, client, who);
    };
  }

  private Map<String, Object> list(@Nullable Identity who, boolean every) {
    Map<String, Object> all = new TreeMap<>();
    changes
        .store()
        .metadata()
        .keys()
        .forEach((id, key) -> {
          if (every || (who != null && key.owner().equals(who.text()))) {
            all.put(id, key.shown());
          }
        });
    return all;
  }

  private RestChannelConsumer create(RestRequest request, NodeClient client, @Nullable Identity who)
      throws IOException {
    Map<String, Object> body = RestAccessAction.body(request);
    RestAccessAction.only(body, Set.of("name", "roles", "expires_in"));
    if (who == null || who.kind() == Identity.Kind.KEY) {
      throw new IllegalArgumentException("a key cannot make keys; use a name and its password");
    }
    if (!(body.get("name") instanceof String name) || name.isBlank() || name.length() > 128) {
      throw new IllegalArgumentException(
          "[name] is missing or too long; give 1 to 128 characters that say what the key is for");
    }
    long now = System.currentTimeMillis();
    long expires = expires(body.get("expires_in"), now);
    String id = random(9);
    String secret = random(32);
    Map<String, Object> key = new LinkedHashMap<>();
    key.put("name", name);
    key.put("digest", Authenticator.digest(secret));
    key.put("owner", who.text());
    key.put("roles", body.getOrDefault("roles", List.of()));
    key.put("created", now);
    key.put("expires", expires);
    return channel ->
        client.execute(
            OwnChangeAction.INSTANCE,
            new ChangeRequest(new Change(Change.Kind.KEY, id, key)),
            new RestBuilderListener<AcknowledgedResponse>(channel) {
              @Override
              public RestResponse buildResponse(AcknowledgedResponse done, XContentBuilder builder)
                  throws IOException {
                builder.startObject().field("id", id).field("secret", secret);
                builder.field(
                    "encoded",
                    Base64.getEncoder()
                        .encodeToString((id + ":" + secret).getBytes(StandardCharsets.UTF_8)));
                builder.field("expires", expires);
                return new BytesRestResponse(RestStatus.CREATED, builder.endObject());
              }
            });
  }

  private static long expires(@Nullable Object given, long now) {
    if (given == null) {
      return 0;
    }
    TimeValue in = TimeValue.parseTimeValue(String.valueOf(given), "expires_in");
    if (in.millis() < 1) {
      throw new IllegalArgumentException(
          "[expires_in] is [" + given + "]; give a time such as [30d], or leave it out for never");
    }
    return now + in.millis();
  }

  /**
   * Letters and digits of so many random bytes; the first is a letter or digit as names want it.
   */
  private static String random(int bytes) {
    byte[] random = new byte[bytes];
    RANDOM.nextBytes(random);
    return "k" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }
}
