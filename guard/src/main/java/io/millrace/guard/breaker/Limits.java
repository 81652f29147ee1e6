package io.millrace.guard.breaker;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.unit.ByteSizeValue;

/** The limits of {@code guard.request-breaker}, as bytes or as a share of the heap. */
final class Limits {
  private static final String PREFIX = Feature.prefix(RequestBreakerFeature.ID);

  private final Setting<ByteSizeValue> request = share(".limit", "20%");
  private final Setting<ByteSizeValue> spare = share(".spare_below", "50%");
  private final Setting<ByteSizeValue> shed = share(".shed_above", "75%");
  private final Setting<Boolean> collect =
      Setting.boolSetting(PREFIX + ".collect_after", true, Property.NodeScope, Property.Dynamic);

  private volatile long requestBytes = request.getDefault(Settings.EMPTY).getBytes();
  private volatile long spareBytes = spare.getDefault(Settings.EMPTY).getBytes();
  private volatile long shedBytes = shed.getDefault(Settings.EMPTY).getBytes();
  private volatile boolean collectAfter = true;

  private static Setting<ByteSizeValue> share(String name, String byDefault) {
    return Setting.memorySizeSetting(
        PREFIX + name, byDefault, Property.NodeScope, Property.Dynamic);
  }

  String requestKey() {
    return request.getKey();
  }

  String shedKey() {
    return shed.getKey();
  }

  long request() {
    return requestBytes;
  }

  long spare() {
    return spareBytes;
  }

  long shed() {
    return shedBytes;
  }

  boolean collectAfter() {
    return collectAfter;
  }

  void bind(Settings node, ClusterSettings cluster) {
    set(request.get(node), spare.get(node), shed.get(node));
    collectAfter = collect.get(node);
    cluster.addSettingsUpdateConsumer(request, v -> requestBytes = v.getBytes());
    cluster.addSettingsUpdateConsumer(spare, v -> spareBytes = v.getBytes());
    cluster.addSettingsUpdateConsumer(shed, v -> shedBytes = v.getBytes());
    cluster.addSettingsUpdateConsumer(collect, v -> collectAfter = v);
  }

  void set(ByteSizeValue request, ByteSizeValue spare, ByteSizeValue shed) {
    requestBytes = request.getBytes();
    spareBytes = spare.getBytes();
    shedBytes = shed.getBytes();
  }

  List<Knob<?>> knobs() {
    return List.of(
        new Knob<>(
            request,
            "What one search (per shard and phase) or one bulk may hold: bytes, or a share of the"
                + " heap."),
        new Knob<>(
            spare,
            "As long as less than this outlived the last collection, a request is not stopped for"
                + " what was measured, only for what it is known to keep."),
        new Knob<>(
            shed,
            "When more than this outlived the last collection, the request that holds most is"
                + " stopped although it is within its own limit."),
        new Knob<>(
            collect,
            "Whether a request stopped above a tenth of the heap is followed by a collection, where"
                + " the collector does that beside the program or the heap is below 4 GB."));
  }
}
