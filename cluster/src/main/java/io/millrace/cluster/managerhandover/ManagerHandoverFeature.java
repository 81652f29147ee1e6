package io.millrace.cluster.managerhandover;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.function.Function;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.plugins.ActionPlugin.ActionHandler;

/**
 * The cluster manager moves to the node that somebody names.
 *
 * <p>Why: stock moves it only by a voting exclusion, to a random candidate, and leaves the
 * exclusion to be deleted; a machine that is about to be maintained needs to give the role to a
 * node of the operator's choice first. Promise: {@code manager-handover}.
 */
public final class ManagerHandoverFeature implements Feature {
  static final String ID = "cluster.manager-handover";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<List<String>> preferred =
      new Knob<>(
          Setting.listSetting(
              Feature.prefix(ID) + ".preferred",
              List.of(),
              Function.identity(),
              Property.NodeScope,
              Property.Dynamic),
          "Names or ids of nodes that should be cluster manager, the best first. The elected "
              + "cluster manager hands over to a better one that has stayed for `preferred_after`.");
  private final Knob<TimeValue> preferredAfter =
      new Knob<>(
          Checked.time(
              Feature.prefix(ID) + ".preferred_after",
              TimeValue.timeValueSeconds(30),
              TimeValue.timeValueMillis(100),
              Property.NodeScope,
              Property.Dynamic),
          "For how long no node may have joined or left before the role moves by preference; "
              + "also the pause after an attempt that failed.");
  private final Handovers handovers = new Handovers(enabled);
  private final Preference preference = new Preference(enabled, preferred, preferredAfter);

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "One request moves the cluster manager to a chosen node; a setting names the nodes that "
        + "should have the role";
  }

  @Override
  public List<String> sources() {
    return List.of("manager-handover");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(preferred, preferredAfter);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "handovers", "handovers", "Handovers that reached their target", handovers.done::sum),
        Metric.counter(
            "misses",
            "elections",
            "Elections of a handover that another node won",
            handovers.missed::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.component(handovers);
    hooks.action(new ActionHandler<>(HandoverAction.INSTANCE, TransportHandoverAction.class));
    hooks.rest(new RestHandoverAction());
  }

  @Override
  public void start(NodeServices services) {
    preference.start(services.client(), services.clusterService(), services.threadPool());
  }

  @Override
  public void stop() {
    preference.stop();
  }
}
