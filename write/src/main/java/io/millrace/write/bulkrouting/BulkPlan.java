package io.millrace.write.bulkrouting;

import io.millrace.write.bulkrouting.BulkRoutingCounters.Untouched;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.ClusterState;

/**
 * What one bulk does with each index it writes to.
 *
 * <p>Decided once, when the first of its requests is about to get an id: only then is it known
 * which ids, routings and indices the pipelines left behind. One pass over the items, one look-up
 * per name.
 *
 * <p>Used by one thread at a time: stock hands a bulk from thread to thread, never to two.
 */
final class BulkPlan {
  private final IndexTargets targets;
  private final BulkRoutingCounters counters;

  /**
   * Until the decision; afterwards null, so that sent items do not keep the whole bulk in memory.
   */
  private @Nullable List<DocWriteRequest<?>> items;

  /** The routing of each concrete index that gets one. */
  private Map<String, String> routings = Map.of();

  BulkPlan(List<DocWriteRequest<?>> items, IndexTargets targets, BulkRoutingCounters counters) {
    this.items = items;
    this.targets = targets;
    this.counters = counters;
  }

  /** The routing for documents of this bulk in this index, or null to leave them as they are. */
  @Nullable String routing(String concreteIndex) {
    List<DocWriteRequest<?>> undecided = items;
    if (undecided != null) {
      items = null;
      routings = decide(undecided);
    }
    return routings.get(concreteIndex);
  }

  /** One document took the plan's routing. */
  void routed() {
    counters.items.increment();
  }

  private Map<String, String> decide(List<DocWriteRequest<?>> all) {
    ClusterState state = targets.state();
    Map<String, Part> byIndex = new HashMap<>();
    Map<String, Part> byName = new HashMap<>();
    String lastName = null;
    Part part = null;
    for (DocWriteRequest<?> item : all) {
      if (item == null) {
        continue; // stock takes failed items out
      }
      if (!item.index().equals(lastName)) {
        lastName = item.index();
        part = byName.computeIfAbsent(lastName, name -> part(name, state, byIndex));
      }
      if (part != null) {
        part.add(item);
      }
    }
    Map<String, String> decided = new HashMap<>();
    byIndex.forEach((index, gathered) -> {
      String routing = gathered.decide(state, counters);
      if (routing != null) {
        decided.put(index, routing);
      }
    });
    return decided;
  }

  private @Nullable Part part(String name, ClusterState state, Map<String, Part> byIndex) {
    IndexTargets.Target target = targets.resolve(name, state);
    if (target == null || target.keys() == null) {
      return null;
    }
    ShardKeys keys = target.keys();
    Part part = byIndex.computeIfAbsent(target.index(), index -> new Part(index, keys));
    if (target.routedByAlias()) {
      part.block(Untouched.ALIAS_ROUTING);
    }
    return part;
  }

  /** The items of a bulk that end up in one opted-in index, by whatever names. */
  private static final class Part {
    private final String index;
    private final ShardKeys keys;
    private int items;
    private @Nullable Untouched blocked;

    Part(String index, ShardKeys keys) {
      this.index = index;
      this.keys = keys;
    }

    void add(DocWriteRequest<?> item) {
      items++;
      Untouched own = ownChoice(item);
      if (own != null) {
        block(own);
      }
    }

    void block(Untouched reason) {
      blocked = blocked == null ? reason : blocked;
    }

    @Nullable String decide(ClusterState state, BulkRoutingCounters counters) {
      if (blocked == null && items < 2) {
        blocked = Untouched.SINGLE_ITEM;
      }
      if (blocked != null) {
        counters.untouched(blocked);
        return null;
      }
      counters.bulks.increment();
      return keys.next(state.routingTable().index(index));
    }
  }

  /** Why the item itself decides where it goes, or null if it does not. */
  static @Nullable Untouched ownChoice(DocWriteRequest<?> item) {
    if (item.routing() != null) {
      return Untouched.OWN_ROUTING;
    }
    return item instanceof IndexRequest && item.id() == null ? null : Untouched.OWN_ID;
  }
}
