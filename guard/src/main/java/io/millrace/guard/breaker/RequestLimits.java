package io.millrace.guard.breaker;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.core.common.unit.ByteSizeValue;

/** The limits of {@code guard.request-breaker}: bytes or shares of the heap, and numbers. */
final class RequestLimits {
  private static final String PREFIX = Feature.prefix(RequestBreakerFeature.ID);

  /** With less, everything would be stopped. */
  private static final ByteSizeValue LEAST = new ByteSizeValue(1);

  private final Knob<ByteSizeValue> request =
      new Knob<>(
          share(".limit", "20%", LEAST),
          "How much memory one bulk may hold, or one search in each of its phases on each "
              + "shard: bytes, or a share of the heap.");
  private final Knob<ByteSizeValue> spare =
      new Knob<>(
          share(".spare_below", "50%", ByteSizeValue.ZERO),
          "While less than this share of the heap survived the last collection, a search "
              + "is not stopped for a measured estimate. It can still be stopped for the memory "
              + "that its buckets are known to keep.");
  private final Knob<ByteSizeValue> shed =
      new Knob<>(
          share(".shed_above", "75%", LEAST),
          "While more than this share of the heap survived the last collection, the "
              + "search that holds most is stopped, although it is within its own limit.");
  private final Knob<Boolean> collect =
      new Knob<>(
          Checked.flag(PREFIX + ".collect_after", true, Property.NodeScope, Property.Dynamic),
          "`true` asks for a garbage collection after a search was stopped that held more "
              + "than a tenth of the heap. It is asked for only where it does not stop the node "
              + "for long: with a concurrent collector, or a heap below 4 GB.");

  private final Knob<Integer> listValues =
      new Knob<>(
          most(".list_values", 1 << 18),
          "How many values the lists of one search, or of another request that reads, may have"
              + " together. Those of `terms` queries do not count.");
  private final Knob<Integer> stateChanges =
      new Knob<>(
          most(".state_changes", 10_000),
          "How many changes to the state of the cluster one request may make: settings, commands,"
              + " and aliases, each once for each index.");
  private final Knob<Integer> comparisons =
      new Knob<>(
          most(".pattern_comparisons", 1_000_000),
          "How often the patterns in the path of one request may be compared with the names of"
              + " indices, aliases and data streams: the number of the ones times that of the"
              + " others.");

  private static Setting<Integer> most(String name, int byDefault) {
    return Setting.intSetting(PREFIX + name, byDefault, 1, Property.NodeScope, Property.Dynamic);
  }

  private static Setting<ByteSizeValue> share(String name, String byDefault, ByteSizeValue least) {
    return Checked.memory(PREFIX + name, byDefault, least, Property.NodeScope, Property.Dynamic);
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

  String listValuesKey() {
    return listValues.key();
  }

  /** Values in the lists of one request. */
  int listValues() {
    return listValues.value();
  }

  String stateChangesKey() {
    return stateChanges.key();
  }

  /** Changes to the state of the cluster that one request may make. */
  int stateChanges() {
    return stateChanges.value();
  }

  String comparisonsKey() {
    return comparisons.key();
  }

  /** Comparisons of patterns with names for the path of one request. */
  int comparisons() {
    return comparisons.value();
  }

  List<Knob<?>> knobs() {
    return List.of(request, spare, shed, collect, listValues, stateChanges, comparisons);
  }
}
