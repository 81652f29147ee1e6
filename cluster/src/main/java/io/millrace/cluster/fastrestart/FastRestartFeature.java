package io.millrace.cluster.fastrestart;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import org.opensearch.plugins.ActionPlugin.ActionHandler;

/**
 * Copies of a node that is being restarted wait for it, for a bounded time.
 *
 * <p>Why: stock waits a minute and then builds every replica of the node anew elsewhere; a node
 * that needs 90 seconds comes back to find its data unused. Promise: {@code fast-restart}.
 */
public final class FastRestartFeature implements Feature {
  static final String ID = "cluster.fast-restart";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final AwaitedNodes awaited = new AwaitedNodes(enabled, System::currentTimeMillis);
  private final AwaitedWatch watch = new AwaitedWatch(awaited);

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Copies of a node that is announced to restart wait for it instead of being rebuilt";
  }

  @Override
  public List<String> sources() {
    return List.of("fast-restart");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(awaited.setting());
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.peak("awaited", "nodes", "Nodes whose copies wait", () -> awaited.now().size()));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.component(awaited);
    hooks.allocationDecider(
        AwaitedNodeDecider.class, (settings, dynamic) -> new AwaitedNodeDecider(awaited));
    hooks.action(new ActionHandler<>(RestartAction.INSTANCE, TransportRestartAction.class));
    hooks.rest(new RestRestartAction());
    hooks.actionFilter(new SearchesElsewhere(awaited, watch::state));
  }

  @Override
  public void start(NodeServices services) {
    watch.start(services.clusterService(), services.threadPool());
  }

  @Override
  public void stop() {
    watch.stop();
  }
}
