package io.millrace.access.authorization;

import io.millrace.access.store.ClusterPrivilege;
import org.jspecify.annotations.Nullable;

/**
 * What an action asks of whoever sends it.
 *
 * @param bits of the indices that it names, for {@link Kind#INDICES}
 * @param cluster for {@link Kind#CLUSTER}
 */
public record Need(Kind kind, int bits, @Nullable ClusterPrivilege cluster) {
  /** How an action is checked. */
  public enum Kind {
    /** Whoever is known may: it shows nothing of anybody else's. */
    ANYBODY,
    /** The parts are checked, each as an action of its own. */
    PARTS,
    /** Every index that it names has to give the bits. */
    INDICES,
    /** The documents of one shard, each by what it does. */
    SHARD_BULK,
    /** Only the scroll's own user. */
    SCROLL,
    /** Only the scrolls' own user. */
    CLEAR_SCROLL,
    /** Only the points' own user. */
    DELETE_POINTS,
    /** Lists tasks: one's own without {@link ClusterPrivilege#MONITOR}. */
    LIST_TASKS,
    /** Shows a task: one's own without {@link ClusterPrivilege#MONITOR}. */
    GET_TASK,
    /** Cancels a task: one's own without {@link ClusterPrivilege#MANAGE}. */
    CANCEL_TASK,
    /** A privilege of the cluster. */
    CLUSTER,
    /** Only the superuser. */
    SUPERUSER,
    /** Only the superuser, and because no rule knows it. */
    UNKNOWN
  }

  static final Need UNKNOWN = of(Kind.UNKNOWN);

  static Need of(Kind kind) {
    return new Need(kind, 0, null);
  }

  static Need indices(int bits) {
    return new Need(Kind.INDICES, bits, null);
  }

  static Need cluster(ClusterPrivilege privilege) {
    return new Need(Kind.CLUSTER, 0, privilege);
  }
}
