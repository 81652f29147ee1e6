package io.millrace.observe.dashboard;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;

/**
 * A page that every node serves: what needs somebody first, then the nodes side by side, then
 * plots. It needs no exporter, no Prometheus and no Grafana.
 */
public final class DashboardFeature implements Feature {
  private final Switch enabled = Feature.switchFor(id(), true);
  private final Knob<Integer> rows =
      new Knob<>(
          Setting.intSetting(prefix() + ".rows", 10, 1, 100, Property.NodeScope, Property.Dynamic),
          "How many of its busiest shards and indices a node reports to the page, from 1 "
              + "to 100.");
  private final ShardLoad load = new ShardLoad(enabled::on, rows::value, System::nanoTime);
  private final DashboardPage page = new DashboardPage(enabled::on);

  @Override
  public String id() {
    return "observe.dashboard";
  }

  @Override
  public String summary() {
    return "`GET /_millrace/` shows alarms, nodes, plots and the busiest shards in a "
        + "browser, live";
  }

  @Override
  public List<String> sources() {
    return List.of("exporter", "trace-board");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(rows);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter("pages", "pages", "How often the page was sent", page.file.served::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.index(module -> module.addIndexEventListener(load));
    hooks.report("shards", load);
    hooks.page(page);
  }
}
