package io.millrace.cluster.flapdamping;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;

/**
 * A node that joins and leaves again and again gets no shards until it has stayed.
 *
 * <p>Why: every join lets stock move shards to the node, and every leave makes it build them
 * elsewhere, so that one sick machine keeps a whole cluster copying. Promise: {@code
 * flapping-nodes}.
 */
public final class FlapDampingFeature implements Feature {
  static final String ID = "cluster.flap-damping";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final FlapLimits limits = new FlapLimits();
  private final JoinHistory history;
  private final Settling settling;

  /** By the clock of this process. */
  public FlapDampingFeature() {
    this.history = new JoinHistory(limits, System::nanoTime);
    this.settling = new Settling(enabled, history);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "A node that joins and leaves again and again gets no shards until it has stayed";
  }

  @Override
  public List<String> sources() {
    return List.of("flapping-nodes");
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
        Metric.peak(
            "damped",
            "nodes",
            "Nodes that get no shards because they joined too often",
            () -> enabled.on() ? history.damped().size() : 0));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.allocationDecider(
        FlapDecider.class, (settings, dynamic) -> new FlapDecider(enabled, limits, history));
    hooks.report("flapping", () -> history.report(enabled.on()));
  }

  @Override
  public void start(NodeServices services) {
    settling.start(services.clusterService(), services.threadPool());
  }

  @Override
  public void stop() {
    settling.stop();
  }
}
