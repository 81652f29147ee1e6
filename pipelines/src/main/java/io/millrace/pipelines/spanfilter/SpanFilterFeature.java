package io.millrace.pipelines.spanfilter;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Switch;
import java.util.List;

/**
 * Spans of connection pools, caches and databases, of which a trace of SkyWalking has dozens that
 * nobody reads, are dropped or sampled before they are stored. Promise: {@code span-filter}.
 */
public final class SpanFilterFeature implements Feature {
  private final Switch enabled = Feature.switchFor(id(), true);
  private final SpanCounters counters = new SpanCounters();

  @Override
  public String id() {
    return "pipelines.span-filter";
  }

  @Override
  public String summary() {
    return "drops or samples spans of SkyWalking's segments by component, layer, name and duration,"
        + " as an ingest processor";
  }

  @Override
  public List<String> sources() {
    return List.of("span-filter");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Metric> metrics() {
    return counters.metrics();
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.processor(
        SpanFilterProcessor.TYPE,
        parameters ->
            (others, tag, description, config) ->
                SpanFilterProcessor.parse(tag, description, config, this));
  }

  SpanCounters counters() {
    return counters;
  }
}
