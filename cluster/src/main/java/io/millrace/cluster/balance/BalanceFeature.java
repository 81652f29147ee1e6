package io.millrace.cluster.balance;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterModule;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;

/**
 * Shards are balanced by what they write and hold, and a new node gets no hot spot.
 *
 * <p>Why: stock balances by counts (BalancedShardsAllocator). An empty node then gets every new
 * index until it has as many shards as the others, and new indices are the ones that are written
 * to. Promise: {@code balance}.
 */
public final class BalanceFeature implements Feature {
  static final String ID = "cluster.balance";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final BalanceLimits limits = new BalanceLimits();
  private final WriteRates rates = new WriteRates(enabled, limits, System::nanoTime);
  private final Balancing balancing =
      new Balancing(enabled, limits, System::nanoTime, System::currentTimeMillis);
  private final LoadPoll poll = new LoadPoll(enabled, balancing);
  private volatile @Nullable ClusterService cluster;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Shards are placed and moved by what they write and hold, not only by their number";
  }

  @Override
  public List<String> sources() {
    return List.of("balance", "many-shards");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return limits.knobs();
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "moves", "shards", "Shards that were moved to balance load", balancing.log()::made),
        Metric.peak(
            "round_time",
            "nanoseconds",
            "What placing and moving took in the last allocation round, without stock's part",
            () -> balancing.last().tookNanos()));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.allocationDecider(
        BalanceDecider.class, (settings, dynamic) -> new BalanceDecider(balancing));
    hooks.shardsAllocator(
        LoadAllocator.NAME,
        (settings, dynamic) -> {
          balancing.select();
          return new LoadAllocator(settings, dynamic, balancing);
        });
    hooks.nodeSettings(
        Settings.builder()
            .put(ClusterModule.SHARDS_ALLOCATOR_TYPE_SETTING.getKey(), LoadAllocator.NAME)
            .build());
    hooks.index(module -> module.addIndexEventListener(rates));
    hooks.reportSource(WriteRates.SUBJECT, rates);
    hooks.reportSource(BalanceReport.SUBJECT, new BalanceReport(balancing, this::state));
    hooks.rest(new RestBalanceAction());
  }

  private @Nullable ClusterState state() {
    ClusterService at = cluster;
    return at == null ? null : at.state();
  }

  @Override
  public void start(NodeServices services) {
    cluster = services.clusterService();
    poll.start(services);
  }

  @Override
  public void stop() {
    poll.stop();
  }
}
