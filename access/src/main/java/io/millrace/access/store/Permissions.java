package io.millrace.access.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.regex.Regex;
import org.opensearch.indices.SystemIndexRegistry;

/**
 * What somebody may do: the roles of a user or key, added up.
 *
 * <p>A pattern gives an index by its own name, by its data stream's or by that of an alias without
 * a filter. A filtered alias gives nothing, because nothing would hold its user to the filter.
 * Names that begin with a full stop need a pattern that does, and system indices are the
 * superuser's.
 *
 * <p>What the patterns say of a name is kept, so that a request costs some look-ups; which names an
 * index has is asked of each cluster state, so that no change of aliases makes a kept answer wrong.
 */
public final class Permissions {
  private static final int MOST_KEPT = 4_096;

  /** Beside the bits of patterns: the name is a system index's. */
  private static final int SYSTEM = 1 << 30;

  private final boolean superuser;
  private final int cluster;
  private final List<Role.Grant> grants;

  /** What patterns for every index give. */
  private final int everywhere;

  /** What this is limited to; null for nothing. */
  private final @Nullable Permissions limit;

  private final Map<String, Integer> kept = new ConcurrentHashMap<>();

  private Permissions(
      boolean superuser, int cluster, List<Role.Grant> grants, @Nullable Permissions limit) {
    this.superuser = superuser;
    this.cluster = cluster;
    this.grants = grants;
    this.everywhere =
        grants.stream()
            .filter(grant -> grant.names().contains("*"))
            .mapToInt(Role.Grant::bits)
            .reduce(0, (a, b) -> a | b);
    this.limit = limit;
  }

  /** What these roles allow together. */
  public static Permissions of(Collection<Role> roles) {
    int cluster = 0;
    List<Role.Grant> grants = new ArrayList<>();
    boolean superuser = false;
    for (Role role : roles) {
      superuser |= role.superuser();
      for (ClusterPrivilege privilege : role.cluster()) {
        cluster |= privilege.bits();
      }
      grants.addAll(role.indices());
    }
    return new Permissions(superuser, cluster, List.copyOf(grants), null);
  }

  /** The same as far as others allow it, too. */
  public Permissions within(Permissions others) {
    return others.superuser
        ? this
        : superuser ? others : new Permissions(false, cluster & others.cluster, grants, others);
  }

  /** Whether there is nothing that this forbids. */
  public boolean superuser() {
    return superuser;
  }

  /** Whether it may do this to the cluster. */
  public boolean cluster(ClusterPrivilege needed) {
    return superuser || needed.in(cluster);
  }

  /** Whether it may do this to any index, also one that is not known yet. */
  public boolean everyIndex(int bits) {
    return superuser || ((everywhere & bits) == bits && (limit == null || limit.everyIndex(bits)));
  }

  /**
   * Whether it may do this to what has the name.
   *
   * @param name an index, an alias, a data stream, or what does not exist yet
   * @param bits of {@link IndexPrivilege.Bits}, all of them needed
   */
  public boolean may(Metadata metadata, String name, int bits) {
    if (superuser) {
      return true;
    }
    IndexAbstraction known = metadata.getIndicesLookup().get(name);
    boolean may;
    if (known == null) {
      int given = bitsOf(name);
      may = (given & bits) == bits && (given & SYSTEM) == 0;
    } else {
      may = !known.getIndices().isEmpty() || (bitsOf(name) & bits) == bits;
      for (IndexMetadata index : known.getIndices()) {
        may &= mayIndex(metadata, index, bits);
      }
    }
    return may && (limit == null || limit.may(metadata, name, bits));
  }

  private boolean mayIndex(Metadata metadata, IndexMetadata index, int bits) {
    String name = index.getIndex().getName();
    int given = bitsOf(name);
    if (index.isSystem() || (given & SYSTEM) != 0) {
      return false;
    }
    if ((given & bits) == bits) {
      return true;
    }
    IndexAbstraction own = metadata.getIndicesLookup().get(name);
    if (own != null && own.getParentDataStream() != null) {
      given |= bitsOf(own.getParentDataStream().getName());
    }
    for (AliasMetadata alias : index.getAliases().values()) {
      if (!alias.filteringRequired()) {
        given |= bitsOf(alias.alias());
      }
    }
    return (given & bits) == bits;
  }

  /** What the patterns say of a name, and whether it is a system index's. */
  private int bitsOf(String name) {
    Integer known = kept.get(name);
    if (known != null) {
      return known;
    }
    // plugins register their system indices when the node starts
    int bits = SystemIndexRegistry.matchesSystemIndexPattern(Set.of(name)).isEmpty() ? 0 : SYSTEM;
    for (Role.Grant grant : grants) {
      for (String pattern : grant.names()) {
        if (name.startsWith(".") == pattern.startsWith(".") && Regex.simpleMatch(pattern, name)) {
          bits |= grant.bits();
          break;
        }
      }
    }
    if (kept.size() < MOST_KEPT) {
      kept.put(name, bits);
    }
    return bits;
  }
}
