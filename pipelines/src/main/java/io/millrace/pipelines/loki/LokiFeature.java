package io.millrace.pipelines.loki;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.pipelines.intake.BatchIds;
import io.millrace.pipelines.intake.IndexName;
import io.millrace.pipelines.intake.IntakeCounters;
import java.io.IOException;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;

/**
 * Loki's push API on the node's own port, so that agents which know Loki alone need no change but
 * their address. Promise: {@code loki-push}.
 */
public final class LokiFeature implements Feature {
  static final String ID = "pipelines.loki";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<IndexName> index =
      new Knob<>(
          IndexName.setting(Feature.prefix(ID) + ".index", "logs-loki-{day}"),
          "Where lines go: an index, an alias or a data stream. `{day}` is the line's day in UTC, "
              + "`2026.11.22`.");
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
              Feature.prefix(ID) + ".max_uncompressed",
              new ByteSizeValue(64, ByteSizeUnit.MB),
              new ByteSizeValue(1, ByteSizeUnit.KB),
              new ByteSizeValue(1, ByteSizeUnit.GB),
              Property.NodeScope,
              Property.Dynamic),
          "Bytes that a body may hold once Snappy is taken off.");
  private final IntakeCounters counters = new IntakeCounters();

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "takes log lines by Loki's push API, on the node's own port";
  }

  @Override
  public List<String> sources() {
    return List.of("loki-push");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(index, retryWithin, largest);
  }

  @Override
  public List<Metric> metrics() {
    return counters.metrics();
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.foreignBody(RestLokiPushAction.PATH, RestLokiPushAction.PROTOBUF, enabled::on);
    hooks.rest(new RestLokiPushAction(this));
  }

  /**
   * Reads a body.
   *
   * @throws IOException when it is no push request
   */
  LokiDocuments documents(byte[] body, boolean protobuf, String tenant) throws IOException {
    List<PushBody.Stream> streams =
        protobuf
            ? PushBody.protobuf(SnappyBlock.decode(body, largest.value().getBytes(), largest.key()))
            : PushBody.json(body);
    return new LokiDocuments(
        streams, tenant, index.value(), new BatchIds(body), System.currentTimeMillis());
  }

  TimeValue retryWithin() {
    return retryWithin.value();
  }

  IntakeCounters counters() {
    return counters;
  }
}
