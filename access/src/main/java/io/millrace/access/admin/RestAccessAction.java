package io.millrace.access.admin;

import static org.opensearch.rest.RestRequest.Method.DELETE;
import static org.opensearch.rest.RestRequest.Method.GET;
import static org.opensearch.rest.RestRequest.Method.PUT;

import io.millrace.access.identity.Identity;
import io.millrace.access.store.AccessStore;
import io.millrace.access.store.BuiltInRoles;
import io.millrace.access.store.Permissions;
import io.millrace.access.store.Role;
import io.millrace.access.store.User;
import io.millrace.credential.PasswordHash;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.ResourceNotFoundException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.action.RestToXContentListener;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code /_millrace/access/users}, {@code /roles}, {@code /password} and {@code /whoami}.
 *
 * <p>Lists come from this node's own copy of the cluster state, without an action; so this handler
 * itself asks who may see them. A password is hashed here, before anything is sent to another node.
 */
public final class RestAccessAction extends BaseRestHandler {
  private static final String BASE = "/_millrace/access/";

  private final Changes changes;
  private final Supplier<Executor> slow;

  /**
   * @param slow where passwords are hashed
   */
  public RestAccessAction(Changes changes, Supplier<Executor> slow) {
    this.changes = changes;
    this.slow = slow;
  }

  @Override
  public String getName() {
    return "millrace_access_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(GET, BASE + "whoami"),
        new Route(PUT, BASE + "password"),
        new Route(GET, BASE + "users"),
        new Route(GET, BASE + "users/{name}"),
        new Route(PUT, BASE + "users/{name}"),
        new Route(DELETE, BASE + "users/{name}"),
        new Route(GET, BASE + "roles"),
        new Route(GET, BASE + "roles/{name}"),
        new Route(PUT, BASE + "roles/{name}"),
        new Route(DELETE, BASE + "roles/{name}"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client)
      throws IOException {
    changes.requireOn();
    String name = request.param("name");
    Identity who = Identity.of(client.threadPool().getThreadContext());
    String subject = request.rawPath().substring(BASE.length());
    if (subject.equals("whoami")) {
      return channel -> answer(channel, whoAmI(who));
    }
    if (subject.equals("password")) {
      return ownPassword(request, client, who);
    }
    boolean users = subject.startsWith("users");
    if (request.method() == GET) {
      requireSuperuser(changes.store(), who);
      return channel -> answer(channel, users ? users(name) : roles(name));
    }
    if (request.method() == DELETE) {
      Change change = new Change(users ? Change.Kind.USER : Change.Kind.ROLE, name, null);
      return channel -> any(client, channel, change);
    }
    Map<String, Object> body = body(request);
    if (!users) {
      Role.parse(name, body); // what is wrong is said here as well, with nothing on its way
      return channel -> any(client, channel, new Change(Change.Kind.ROLE, name, body));
    }
    return putUser(name, body, client);
  }

  private RestChannelConsumer putUser(String name, Map<String, Object> body, NodeClient client) {
    only(body, Set.of("password", "roles"));
    Map<String, Object> kept = new HashMap<>(body);
    Object password = kept.remove("password");
    if (password == null) {
      return channel -> any(client, channel, new Change(Change.Kind.USER, name, kept));
    }
    return hashing(
        password,
        client,
        (channel, hash) -> {
          kept.put("hash", hash);
          any(client, channel, new Change(Change.Kind.USER, name, kept));
        });
  }

  private RestChannelConsumer ownPassword(
      RestRequest request, NodeClient client, @Nullable Identity who) throws IOException {
    Map<String, Object> body = body(request);
    only(body, Set.of("password"));
    if (who == null || who.kind() != Identity.Kind.USER) {
      throw new IllegalArgumentException(
          "only a user has a password to change; an operator's stands in the file of operators, and"
              + " a key is made anew");
    }
    return hashing(
        body.getOrDefault("password", ""),
        client,
        (channel, hash) ->
            client.execute(
                OwnChangeAction.INSTANCE,
                new ChangeRequest(new Change(Change.Kind.USER, who.name(), Map.of("hash", hash))),
                new RestToXContentListener<>(channel)));
  }

  private interface WithHash {
    void go(RestChannel channel, String hash);
  }

  /** Hashes on a thread that may be slow, and goes on in the context of the request. */
  private RestChannelConsumer hashing(Object password, NodeClient client, WithHash next) {
    if (!(password instanceof String text)) {
      throw new IllegalArgumentException("[password] is no string; give 8 to 256 characters");
    }
    if (text.length() < PasswordHash.SHORTEST || text.length() > PasswordHash.LONGEST) {
      PasswordHash.of(text.toCharArray()); // words the error
    }
    var context = client.threadPool().getThreadContext().newRestorableContext(true);
    return channel ->
        slow.get()
            .execute(() -> {
              try (var ignored = context.get()) {
                next.go(channel, PasswordHash.of(text.toCharArray()).text());
              } catch (Exception e) {
                fail(channel, e);
              }
            });
  }

  private static void fail(RestChannel channel, Exception e) {
    try {
      channel.sendResponse(new BytesRestResponse(channel, e));
    } catch (IOException unsent) {
      e.addSuppressed(unsent);
      throw new IllegalStateException(e);
    }
  }

  private static void any(NodeClient client, RestChannel channel, Change change) {
    client.execute(
        AnyChangeAction.INSTANCE, new ChangeRequest(change), new RestToXContentListener<>(channel));
  }

  private Map<String, Object> whoAmI(@Nullable Identity who) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (who != null) {
      map.put("name", who.name());
      map.put("kind", who.kind().name().toLowerCase(Locale.ROOT));
      List<String> roles = changes.store().roles(who);
      map.put("roles", roles == null ? List.of() : roles);
    }
    return map;
  }

  private Map<String, Object> users(@Nullable String name) {
    Map<String, Object> all = new TreeMap<>();
    changes.store().metadata().users().forEach((each, user) -> all.put(each, shown(user)));
    return one(all, "user", name);
  }

  private static Map<String, Object> shown(User user) {
    return Map.of("roles", user.roles());
  }

  private Map<String, Object> roles(@Nullable String name) {
    Map<String, Object> all = new TreeMap<>();
    BuiltInRoles.all()
        .forEach((each, role) -> {
          Map<String, Object> map = new LinkedHashMap<>(role.map());
          map.put("built_in", true);
          all.put(each, map);
        });
    changes.store().metadata().roles().forEach((each, role) -> all.put(each, role.map()));
    return one(all, "role", name);
  }

  static Map<String, Object> one(Map<String, Object> all, String what, @Nullable String name) {
    if (name == null) {
      return all;
    }
    Object one = all.get(name);
    if (one == null) {
      throw new ResourceNotFoundException(what + " [" + name + "] does not exist");
    }
    return Map.of(name, one);
  }

  /** For what is answered without an action. */
  static void requireSuperuser(AccessStore store, @Nullable Identity who) {
    Permissions permissions = who == null ? null : store.permissions(who);
    if (who != null && (permissions == null || !permissions.superuser())) {
      throw new OpenSearchSecurityException(
          "[" + who.name() + "] may not see users and roles: it needs role [superuser]",
          RestStatus.FORBIDDEN);
    }
  }

  static Map<String, Object> body(RestRequest request) throws IOException {
    if (!request.hasContent()) {
      throw new IllegalArgumentException("the request has no body; send a JSON object");
    }
    try (var parser = request.contentParser()) {
      return parser.map();
    }
  }

  static void only(Map<String, Object> body, Set<String> known) {
    for (String field : body.keySet()) {
      if (!known.contains(field)) {
        throw new IllegalArgumentException(
            "unknown field [" + field + "]; it has " + known.stream().sorted().toList());
      }
    }
  }

  static void answer(RestChannel channel, Map<String, Object> map) throws IOException {
    XContentBuilder builder = channel.newBuilder();
    builder.map(map);
    channel.sendResponse(new BytesRestResponse(RestStatus.OK, builder));
  }
}
