package io.millrace.access.authorization;

import io.millrace.access.store.Permissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.IndicesRequest;
import org.opensearch.action.admin.indices.alias.Alias;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.admin.indices.rollover.RolloverRequest;
import org.opensearch.action.admin.indices.shrink.ResizeRequest;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.OptionallyResolvedIndices;
import org.opensearch.cluster.metadata.ResolvedIndices;
import org.opensearch.index.IndexNotFoundException;

/**
 * Whether somebody may do something to the indices of a request. An expression with wildcards
 * shrinks to what they may; a name that they may not is refused.
 */
final class IndexCheck {
  /**
   * An expression for nothing: no index, alias or data stream has such a name
   * (MetadataCreateIndexService#validateIndexOrAliasName). Not {@code *,-*}: data streams are found
   * by the pattern alone.
   */
  private static final String[] NOTHING = {"#nothing*"};

  private final Needs needs;

  IndexCheck(Needs needs) {
    this.needs = needs;
  }

  /**
   * Checks, and puts names in place of wildcards.
   *
   * @return what is refused, for the error; null when nothing is
   * @throws IndexNotFoundException when nothing is left and the request does not allow that
   */
  <T extends ActionRequest> @Nullable String refused(
      Permissions permissions,
      Metadata metadata,
      T request,
      ActionRequestMetadata<T, ?> action,
      int bits) {
    CreateIndexRequest create = created(request);
    if (create != null) {
      for (Alias alias : create.aliases()) {
        if (!permissions.may(metadata, alias.name(), bits)) {
          return alias.name();
        }
      }
    }
    OptionallyResolvedIndices resolved;
    try {
      resolved = action.resolvedIndices();
    } catch (IndexNotFoundException e) {
      return unresolved(permissions, metadata, request, bits, e);
    }
    if (!(resolved instanceof ResolvedIndices indices)) {
      return permissions.everyIndex(bits) ? null : "*";
    }
    if (!indices.remote().isEmpty()) {
      return "indices of other clusters";
    }
    for (var part : indices.local().subActions().entrySet()) {
      Need need = needs.of(part.getKey());
      for (String name : part.getValue().names()) {
        if (!permissions.may(metadata, name, need.bits() | bits)) {
          return name;
        }
      }
    }
    return named(permissions, metadata, request, indices.local().names(), bits);
  }

  /** The index that a request makes, whose aliases no resolution of names knows. */
  private static @Nullable CreateIndexRequest created(ActionRequest request) {
    return switch (request) {
      case CreateIndexRequest create -> create;
      case RolloverRequest rollover -> rollover.getCreateIndexRequest();
      case ResizeRequest resize -> resize.getTargetIndexRequest();
      default -> null;
    };
  }

  private static @Nullable String named(
      Permissions permissions,
      Metadata metadata,
      ActionRequest request,
      Set<String> names,
      int bits) {
    Set<String> allowed = new LinkedHashSet<>();
    String denied = null;
    for (String name : names) {
      if (permissions.may(metadata, name, bits)) {
        allowed.add(name);
      } else {
        denied = name;
      }
    }
    if (!(request instanceof IndicesRequest.Replaceable replaceable)
        || !wild(replaceable.indices())
        || (denied == null && permissions.everyIndex(bits))) {
      return denied;
    }
    String explicit = explicitDenied(permissions, metadata, replaceable, bits);
    if (explicit != null) {
      return explicit;
    }
    // always by name: an index that comes between here and the execution must not slip in
    if (!allowed.isEmpty()) {
      replaceable.indices(allowed.toArray(new String[0]));
    } else if (replaceable.indicesOptions().allowNoIndices()) {
      replaceable.indices(NOTHING);
    } else {
      throw new IndexNotFoundException(String.join(",", given(replaceable)));
    }
    return null;
  }

  /** The first name without wildcards that is not allowed, whatever it stands for. */
  private static @Nullable String explicitDenied(
      Permissions permissions, Metadata metadata, IndicesRequest request, int bits) {
    for (String part : given(request)) {
      if (!wildPart(part) && !part.startsWith("<") && !permissions.may(metadata, part, bits)) {
        return part;
      }
    }
    return null;
  }

  /** A name that does not exist: whoever may not use it is not told so. */
  private static @Nullable String unresolved(
      Permissions permissions,
      Metadata metadata,
      ActionRequest request,
      int bits,
      IndexNotFoundException missing) {
    if (request instanceof IndicesRequest named) {
      String denied = explicitDenied(permissions, metadata, named, bits);
      if (denied != null) {
        return denied;
      }
    }
    throw missing;
  }

  private static List<String> given(IndicesRequest request) {
    String[] indices = request.indices();
    List<String> given = new ArrayList<>();
    if (indices != null) {
      Arrays.stream(indices).filter(part -> part != null).forEach(given::add);
    }
    return given;
  }

  private static boolean wild(String @Nullable [] expressions) {
    return expressions == null
        || expressions.length == 0
        || Arrays.stream(expressions).anyMatch(part -> part == null || wildPart(part));
  }

  private static boolean wildPart(String part) {
    return part.equals("_all") || part.indexOf('*') >= 0 || part.startsWith("-");
  }
}
