package io.millrace.plugin.example;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.profile.ProfileEntry;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.plugins.SearchPlugin.QuerySpec;

/** Knows in which field of an index the severity of a line stands, and what follows from it. */
public final class SeverityFeature implements Feature {
  /** The field that holds the severity. */
  static final Setting<String> FIELD =
      Setting.simpleString("index.millrace.severity.field", "severity", Property.IndexScope);

  private final Switch enabled = Feature.switchFor(id(), true);
  private final CountingLayer counting = new CountingLayer();

  @Override
  public String id() {
    return "example.severity";
  }

  @Override
  public String summary() {
    return "Severe lines: written alike, counted, found by `severe`, kept off a node";
  }

  @Override
  public List<String> sources() {
    return List.of("a-promise");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(
        new Knob<>(FIELD, "The field that holds the severity of a line."),
        new Knob<>(SeverityDecider.KEPT_OFF, "The name of the node that gets no shard."));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter("documents", "documents", "Documents written", counting.documents::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.query(new QuerySpec<>(SevereQuery.NAME, SevereQuery::new, SevereQuery::parse));
    hooks.processor(SeverityProcessor.TYPE, parameters -> SeverityProcessor::new);
    hooks.allocationDecider(SeverityDecider.class, (settings, dynamic) -> new SeverityDecider());
    hooks.codecLayer(counting);
    hooks.profile(
        ProfileEntry.of(Profile.LOGS, FIELD.getKey(), "level", "log lines call it their level"));
    hooks.report("severity", () -> Map.of("documents", counting.documents.sum()));
  }
}
