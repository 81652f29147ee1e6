package io.millrace.pipelines.otlp;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.pipelines.intake.BatchIds;
import io.millrace.pipelines.intake.IndexName;
import io.millrace.pipelines.intake.IntakeCounters;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;

/**
 * Logs and traces of OpenTelemetry on the node's own port.
 *
 * <p>Why: every SDK and every collector speaks OTLP over HTTP, and a process in between that turns
 * it into bulks is one more thing to run, to size and to lose data in. Promise: {@code otlp}.
 */
public final class OtlpFeature implements Feature {
  static final String ID = "pipelines.otlp";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<IndexName> logs =
      new Knob<>(
          IndexName.setting(Feature.prefix(ID) + ".logs_index", "logs-otel-v1-{day}"),
          "Where log records go: an index, an alias or a data stream. `{day}` is the record's day "
              + "in UTC, `2026.11.22`.");
  private final Knob<IndexName> traces =
      new Knob<>(
          IndexName.setting(Feature.prefix(ID) + ".traces_index", "traces-otel-v1-{day}"),
          "Where spans go; as `logs_index`.");
  private final Knob<TimeValue> retryWithin =
      new Knob<>(
          Checked.time(
              Feature.prefix(ID) + ".retry_within",
              TimeValue.timeValueSeconds(10),
              TimeValue.ZERO,
              Property.NodeScope,
              Property.Dynamic),
          "For how long the node itself tries again what a shard has no room for, before it tells "
              + "the client to send all of it again.");
  private final Knob<ByteSizeValue> largest =
      new Knob<>(
          Setting.byteSizeSetting(
              Feature.prefix(ID) + ".max_documents",
              new ByteSizeValue(512, ByteSizeUnit.MB),
              new ByteSizeValue(1, ByteSizeUnit.MB),
              new ByteSizeValue(64, ByteSizeUnit.GB),
              Property.NodeScope,
              Property.Dynamic),
          "Bytes that the documents of one request may have together. Resource attributes stand in "
              + "each document, so a small body can become large. Records beyond are refused by "
              + "`partial_success`.");
  private final IntakeCounters counters = new IntakeCounters();

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "takes logs and traces of OpenTelemetry by OTLP over HTTP, on the node's own port";
  }

  @Override
  public List<String> sources() {
    return List.of("otlp");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(logs, traces, retryWithin, largest);
  }

  @Override
  public List<Metric> metrics() {
    return counters.metrics();
  }

  @Override
  public void declare(Hooks hooks) {
    for (Signal signal : Signal.values()) {
      hooks.foreignBody(signal.path(), OtlpAnswer.PROTOBUF, enabled::on);
      hooks.rest(new RestOtlpAction(signal, this));
    }
  }

  OtlpDocuments documents(Signal signal, RecordPlaces envelope, BatchIds ids) {
    return new OtlpDocuments(
        signal,
        envelope,
        (signal == Signal.LOGS ? logs : traces).value(),
        ids,
        largest.value().getBytes(),
        largest.key(),
        System.currentTimeMillis());
  }

  TimeValue retryWithin() {
    return retryWithin.value();
  }

  IntakeCounters counters() {
    return counters;
  }
}
