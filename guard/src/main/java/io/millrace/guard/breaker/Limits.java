package io.millrace.guard.breaker;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.core.common.unit.ByteSizeValue;

/** The limits of {@code guard.request-breaker}, as bytes or as a share of the heap. */
final class Limits {
  private static final String PREFIX = Feature.prefix(RequestBreakerFeature.ID);

  private final Knob<ByteSizeValue> request =
      new Knob<>(
          share(".limit", "20%"),
          "What one search (per shard and phase) or one bulk may hold: bytes, or a share of the"
              + " heap.");
  private final Knob<ByteSizeValue> spare =
      new Knob<>(
          share(".spare_below", "50%"),
          "As long as less than this outlived the last collection, a request is not stopped for"
              + " what was measured, only for what it is known to keep.");
  private final Knob<ByteSizeValue> shed =
      new Knob<>(
          share(".shed_above", "75%"),
          "When more than this outlived the last collection, the request that holds most is"
              + " stopped although it is within its own limit.");
  private final Knob<Boolean> collect =
      new Knob<>(
          Setting.boolSetting(
              PREFIX + ".collect_after", true, Property.NodeScope, Property.Dynamic),
          "Whether a request stopped above a tenth of the heap is followed by a collection, where"
              + " the collector does that beside the program or the heap is below 4 GB.");

  private static Setting<ByteSizeValue> share(String name, String byDefault) {
    return Setting.memorySizeSetting(
        PREFIX + name, byDefault, Property.NodeScope, Property.Dynamic);
  }

  String requestKey() {
    return request.key();
  }

  String shedKey() {
    return shed.key();
  }

  /** Bytes that one request may hold. */
  long request() {
    return request.value().getBytes();
  }

  /** Bytes that outlived the last collection below which measured requests are spared. */
  long spare() {
    return spare.value().getBytes();
  }

  /** Bytes that outlived the last collection above which the largest request is stopped. */
  long shed() {
    return shed.value().getBytes();
  }

  boolean collectAfter() {
    return collect.value();
  }

  List<Knob<?>> knobs() {
    return List.of(request, spare, shed, collect);
  }
}
