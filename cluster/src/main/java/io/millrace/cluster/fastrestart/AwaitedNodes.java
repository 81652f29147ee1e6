package io.millrace.cluster.fastrestart;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.UnassignedInfo;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;

/**
 * Which nodes are awaited, and until when. It is kept as a cluster setting, so that every cluster
 * manager knows it and a node without this plugin reads the same cluster state.
 */
public final class AwaitedNodes {
  private static final String KEY = Feature.prefix(FastRestartFeature.ID) + ".awaited";
  private static final Pattern ENTRY = Pattern.compile("([^@\\s]+)@(\\d{1,18})");

  /** As AllocationService#disassociateDeadNodes words it. */
  private static final Pattern LEFT = Pattern.compile("node_left \\[([^\\]]+)]");

  private final Switch enabled;
  private final LongSupplier clock;
  private final Knob<List<String>> setting =
      new Knob<>(
          Setting.listSetting(
              KEY,
              List.of(),
              UnaryOperator.identity(),
              AwaitedNodes::check,
              Property.NodeScope,
              Property.Dynamic),
          "Written by `POST /_millrace/restart/_begin` and `_end`: `ID@TIME` for each node whose "
              + "copies wait, with the time in milliseconds since 1970 at which they stop waiting.");

  AwaitedNodes(Switch enabled, LongSupplier clock) {
    this.enabled = enabled;
    this.clock = clock;
  }

  private static void check(List<String> entries) {
    for (String entry : entries) {
      if (!ENTRY.matcher(entry).matches()) {
        throw new IllegalArgumentException(
            "["
                + KEY
                + "] has the entry ["
                + entry
                + "]; it must be ID@MILLISECONDS. POST /_millrace/restart/_end clears the list");
      }
    }
  }

  /** Whether a restart of the node is announced now, also while this feature is off. */
  public static boolean announced(ClusterState state, String id) {
    return unexpired(state.metadata().settings().getAsList(KEY), System.currentTimeMillis())
        .containsKey(id);
  }

  Knob<List<String>> setting() {
    return setting;
  }

  Switch enabled() {
    return enabled;
  }

  long time() {
    return clock.getAsLong();
  }

  /** Ids of the nodes that are awaited now, each with its end in milliseconds since 1970. */
  Map<String, Long> now() {
    return enabled.on() ? unexpired(setting.value(), time()) : Map.of();
  }

  private static Map<String, Long> unexpired(List<String> entries, long time) {
    if (entries.isEmpty()) {
      return Map.of();
    }
    Map<String, Long> nodes = new LinkedHashMap<>();
    for (String entry : entries) {
      Matcher matcher = ENTRY.matcher(entry);
      if (matcher.matches() && Long.parseLong(matcher.group(2)) > time) {
        nodes.put(matcher.group(1), Long.parseLong(matcher.group(2)));
      }
    }
    return nodes;
  }

  /** What a cluster state says, which may be newer than what this node has applied. */
  Map<String, Long> of(ClusterState state) {
    Settings settings = state.metadata().settings();
    return unexpired(setting.setting().get(settings), time());
  }

  /** The settings with this value instead of theirs; no node is no value. */
  static Settings with(Map<String, Long> nodes, Settings settings) {
    Settings.Builder changed = Settings.builder().put(settings.filter(key -> !key.startsWith(KEY)));
    if (!nodes.isEmpty()) {
      changed.putList(
          KEY, nodes.entrySet().stream().map(e -> e.getKey() + "@" + e.getValue()).toList());
    }
    return changed.build();
  }

  /** The node on which an unassigned replica was until that node left; null for any other. */
  static @Nullable String lastNode(ShardRouting shard) {
    UnassignedInfo info = shard.unassignedInfo();
    if (shard.primary()
        || !shard.unassigned()
        || info == null
        || info.getReason() != UnassignedInfo.Reason.NODE_LEFT
        || info.getMessage() == null) {
      return null;
    }
    Matcher matcher = LEFT.matcher(info.getMessage());
    return matcher.find() ? matcher.group(1) : null;
  }
}
