package io.millrace.access.store;

import io.millrace.access.identity.Identity;
import io.millrace.credential.Operators;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterStateListener;

/**
 * What this node knows of users, roles and keys: the last cluster state that it has applied, and
 * its own file of operators. A key that is revoked is out with the state that says so.
 */
public final class AccessStore implements ClusterStateListener {
  private static final AccessMetadata NOBODY = AccessMetadata.fresh();

  private final LongSupplier clock;
  private volatile Known known = new Known(NOBODY, Operators.none());

  /** A state of knowledge, with what was worked out from it. */
  private record Known(
      AccessMetadata metadata, Operators operators, Map<Identity, Permissions> permissions) {
    Known(AccessMetadata metadata, Operators operators) {
      this(metadata, operators, new ConcurrentHashMap<>());
    }
  }

  /**
   * @param clock milliseconds since 1970
   */
  public AccessStore(LongSupplier clock) {
    this.clock = clock;
  }

  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    AccessMetadata now = event.state().metadata().custom(AccessMetadata.TYPE);
    if (now != null && now != known.metadata()) {
      metadata(now);
    }
  }

  /** Takes what the cluster says. */
  public synchronized void metadata(AccessMetadata metadata) {
    known = new Known(metadata, known.operators());
  }

  /** Takes what the file says. */
  public synchronized void operators(Operators operators) {
    known = new Known(known.metadata(), operators);
  }

  /** Users, roles and keys of the cluster. */
  public AccessMetadata metadata() {
    return known.metadata();
  }

  /** The operators of this node. */
  public Operators operators() {
    return known.operators();
  }

  /** The role of this name; null when there is none. */
  public @Nullable Role role(String name) {
    Role builtIn = BuiltInRoles.all().get(name);
    return builtIn == null ? known.metadata().roles().get(name) : builtIn;
  }

  /** The names of somebody's roles; null for somebody who is not there (any more). */
  public @Nullable List<String> roles(Identity identity) {
    return switch (identity.kind()) {
      // another node may have recognized them by its own file
      case OPERATOR -> List.of(BuiltInRoles.SUPERUSER);
      case USER -> {
        User user = known.metadata().users().get(identity.name());
        yield user == null ? null : user.roles();
      }
      case KEY -> {
        ApiKey key = key(identity.name());
        List<String> owners = key == null ? null : roles(owner(key));
        yield key == null || key.roles().isEmpty() ? owners : owners == null ? null : key.roles();
      }
    };
  }

  private static Identity owner(ApiKey key) {
    return Identity.parse(key.owner());
  }

  /** A key that is valid now; null for one that is not. */
  public @Nullable ApiKey key(String id) {
    ApiKey key = known.metadata().keys().get(id);
    return key == null || key.expired(clock.getAsLong()) ? null : key;
  }

  /** What somebody may do; null for somebody who is not there (any more). */
  public @Nullable Permissions permissions(Identity identity) {
    Known now = known;
    List<String> roles = roles(identity);
    if (roles == null) {
      return null;
    }
    return now.permissions().computeIfAbsent(identity, who -> workOut(who, roles));
  }

  private Permissions workOut(Identity identity, List<String> names) {
    Permissions own = of(names);
    ApiKey key = identity.kind() == Identity.Kind.KEY ? key(identity.name()) : null;
    if (key == null) {
      return own;
    }
    List<String> owners = roles(owner(key));
    return own.within(of(owners == null ? List.of() : owners));
  }

  /** What these roles allow together; roles that are gone allow nothing. */
  public Permissions of(List<String> names) {
    List<Role> roles = new ArrayList<>();
    names.stream().map(this::role).filter(Objects::nonNull).forEach(roles::add);
    return Permissions.of(roles);
  }
}
