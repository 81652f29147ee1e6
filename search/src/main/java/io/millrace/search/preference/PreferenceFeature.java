package io.millrace.search.preference;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Switch;
import java.util.List;

/**
 * {@code preference=_shards:0,1|session42}: some shards, and always the same copy of each.
 *
 * <p>Why: stock takes a custom string or a list of shards, and answers the two together with a 400
 * (OperationRouting#getShards at 3.8.0 reads what follows the bar as one of its own words). Who
 * reads an index shard by shard thus gets another copy at each call, with other statistics, another
 * order of equal hits and a cold cache. Promise: {@code preference}.
 */
public final class PreferenceFeature implements Feature {
  static final String ID = "search.preference";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final PreferenceFilter filter = new PreferenceFilter(enabled);

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "`preference=_shards:0,1|session42` names shards and picks a fixed copy of each";
  }

  @Override
  public List<String> sources() {
    return List.of("preference");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "requests",
            "requests",
            "Requests whose preference named shards and a custom string",
            filter.rewritten::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.actionFilter(filter);
  }

  @Override
  public void start(NodeServices services) {
    filter.start(services.clusterService(), services.indexNameExpressionResolver());
  }
}
