package io.millrace.pipelines.retention;

import io.millrace.kernel.NodeServices;
import io.millrace.kernel.report.DiskRelief;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.indices.stats.IndicesStatsResponse;
import org.opensearch.action.admin.indices.stats.ShardStats;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.unit.ByteSizeValue;

/** Tells whoever warns of a full disk what the rules would delete next. */
final class Relief implements DiskRelief {
  private static final int NAMED = 5;

  private final Switch enabled;
  private final Knob<Boolean> dryRun;
  private final Knob<List<RetentionRule>> rules;
  private final LongSupplier clock;
  private final Supplier<@Nullable NodeServices> services;

  Relief(
      Switch enabled,
      Knob<Boolean> dryRun,
      Knob<List<RetentionRule>> rules,
      LongSupplier clock,
      Supplier<@Nullable NodeServices> services) {
    this.enabled = enabled;
    this.dryRun = dryRun;
    this.rules = rules;
    this.clock = clock;
    this.services = services;
  }

  @Override
  public void next(String node, ActionListener<String> listener) {
    if (rules.value().isEmpty()) {
      listener.onResponse(
          "Retention has no rules (" + rules.key() + "), so nothing goes by itself");
      return;
    }
    NodeServices its = Objects.requireNonNull(services.get(), "not started");
    SystemRequests.sizes(
        its,
        ActionListener.delegateFailure(
            listener,
            (to, sizes) -> {
              List<Candidate> all = Candidate.all(its.clusterService().state(), sizes);
              to.onResponse(sentence(all, sizes, node));
            }));
  }

  private String sentence(List<Candidate> all, IndicesStatsResponse sizes, String node) {
    long now = clock.getAsLong();
    List<Plan.Step> due =
        Plan.of(rules.value(), all, now).stream()
            .filter(step -> step.action() == Plan.Action.DELETE)
            .toList();
    if (due.isEmpty()) {
      return Plan.first(rules.value(), all, now)
          .map(step ->
              "Retention has nothing to delete yet; first would go "
                  + what(List.of(step), sizes, node)
                  + ", because "
                  + step.reason())
          .orElse("Retention has rules, but none of them has an index that may go");
    }
    return "Retention would delete next " + what(due, sizes, node) + ": " + whether();
  }

  private String whether() {
    return !enabled.on()
        ? enabled.setting().getKey() + " is false, so nothing goes by itself"
        : dryRun.value()
            ? dryRun.key() + " is true, so nothing goes by itself"
            : "the cluster manager does so by itself";
  }

  private static String what(List<Plan.Step> steps, IndicesStatsResponse sizes, String node) {
    Set<String> names = steps.stream().map(Plan.Step::target).collect(Collectors.toSet());
    long here = 0;
    for (ShardStats shard : sizes.getShards()) {
      if (node.equals(shard.getShardRouting().currentNodeId())
          && names.contains(shard.getShardRouting().getIndexName())
          && shard.getStats().getStore() != null) {
        here += shard.getStats().getStore().sizeInBytes();
      }
    }
    Stream<String> named = steps.stream().limit(NAMED).map(step -> "[" + step.target() + "]");
    return named.collect(Collectors.joining(", "))
        + (steps.size() > NAMED ? " and " + (steps.size() - NAMED) + " more" : "")
        + ", which frees ["
        + new ByteSizeValue(steps.stream().mapToLong(Plan.Step::bytes).sum())
        + "], ["
        + new ByteSizeValue(here)
        + "] of them on this node";
  }
}
