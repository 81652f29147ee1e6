package io.millrace.kernel;

import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.stream.Stream;
import org.opensearch.common.settings.Setting.Property;

/**
 * One capability: a name, the promises it keeps, its switch, its knobs, its metrics and the hooks
 * it needs.
 *
 * <p>The life of a feature follows OpenSearch's own start-up order (Node#Node at 3.8.0): {@link
 * #declare} runs while the node object is being built, before any service exists; {@link #start}
 * runs once the services exist and before the first request; {@link #stop} runs when the node
 * closes. A feature must not start threads or touch files in {@code declare}.
 *
 * <p>A feature is switched with {@link #enabled()}, a dynamic cluster setting. Off means that the
 * node behaves as stock: the hook is absent or one branch.
 */
public interface Feature {

  /**
   * Stable name, {@code <domain>.<feature>} in lower case with hyphens: the key of settings,
   * metrics and the page, for example {@code write.bulk-routing}.
   */
  String id();

  /** One sentence for the feature table, without a full stop. */
  String summary();

  /** The promises that the feature keeps: ids of docs/promises.md, such as {@code bulk-routing}. */
  List<String> sources();

  /** The node-wide switch. It is created once per feature and read through {@link Switch#on()}. */
  Switch enabled();

  /**
   * Settings beside the switch, each with its doc. Knobs of the node are the same objects at every
   * call: the plugin binds them before {@link #start}, and the feature reads their values.
   */
  default List<Knob<?>> knobs() {
    return List.of();
  }

  /** The switch and the knobs: all that the feature registers. */
  default Stream<Knob<?>> settings() {
    return Stream.concat(Stream.of(enabled().knob()), knobs().stream());
  }

  /** What the feature counts; rendered by the stats API and by every exporter. */
  default List<Metric> metrics() {
    return List.of();
  }

  /** Registers hooks. No services, no threads, no files here. */
  default void declare(Hooks hooks) {}

  /** Called once per node after the services exist and before the first request. */
  default void start(NodeServices services) {}

  /** Called once when the node closes; must be quick and must not throw. */
  default void stop() {}

  /**
   * The prefix of the settings and metrics that belong to this feature.
   *
   * @return {@code millrace.} and the id with underscores for hyphens, for example {@code
   *     millrace.write.bulk_routing}
   */
  default String prefix() {
    return prefix(id());
  }

  /** The prefix for a feature id; see {@link #prefix()}. */
  static String prefix(String id) {
    return "millrace." + id.replace('-', '_');
  }

  /**
   * A switch for a feature: {@code <prefix>.enabled}, dynamic, of node scope.
   *
   * @param id the feature's id
   * @param byDefault whether the feature is on where nothing is set
   */
  static Switch switchFor(String id, boolean byDefault) {
    return new Switch(
        Checked.flag(prefix(id) + ".enabled", byDefault, Property.NodeScope, Property.Dynamic));
  }
}
