package io.millrace.observe.explorer;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;

/**
 * A page to look at the log lines themselves: search, histogram, fields, neighbours, traces,
 * patterns. Everything it shows comes from the search API with the rights of who looks, so the node
 * only hands out the file.
 */
public final class ExplorerFeature implements Feature {
  private final Switch enabled = Feature.switchFor(id(), true);
  private final RestExplorerAction page = new RestExplorerAction(enabled);

  @Override
  public String id() {
    return "observe.explorer";
  }

  @Override
  public String summary() {
    return "`GET /_millrace/explore` is a page to search and read logs in a browser";
  }

  @Override
  public List<String> sources() {
    return List.of("log-page");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of();
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter("pages", "pages", "How often the page was sent", page.file.served::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.rest(page);
  }
}
