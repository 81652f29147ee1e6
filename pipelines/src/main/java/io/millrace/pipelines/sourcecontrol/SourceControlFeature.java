package io.millrace.pipelines.sourcecontrol;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.Sender;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;

/**
 * Who writes how much is known per service, index and sender, and a budget holds back who writes
 * too much.
 *
 * <p>Why: one application that logs 10 GB of debug lines a day fills the disk of all others, and
 * nobody knows which one it is. Promise: {@code source-control}.
 */
public final class SourceControlFeature implements Feature {
  static final String ID = "pipelines.source-control";
  private static final String PREFIX = Feature.prefix(ID);

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<List<Budget>> budgets =
      new Knob<>(
          Checked.lines(PREFIX + ".budgets", Budget::parse, Property.NodeScope, Property.Dynamic),
          "Lines such as `logs-* service=shop* sender=k:shipper day=10gb then=sample`: what all "
              + "sources that match may send to one node in a day, and what happens then: "
              + "`warn`, `sample` or `drop`. The first line that matches a document counts.");
  private final Knob<List<String>> services =
      names(
          "service_fields",
          List.of(
              "service.name",
              "serviceName",
              "service",
              "app",
              "application",
              "kubernetes.labels.app",
              "kubernetes.container_name",
              "container.name",
              "labels.app",
              "host.name",
              "host"),
          "Fields that say which service a document is from, the best first.");
  private final Knob<List<String>> levels =
      names(
          "level_fields",
          List.of("level", "log.level", "severity.text", "severity", "loglevel"),
          "Fields that say the level of a line, the best first.");
  private final Knob<Integer> oneOf =
      new Knob<>(
          Setting.intSetting(
              PREFIX + ".read_one_of", 16, 1, 10_000, Property.NodeScope, Property.Dynamic),
          "Of so many documents one is read for its service and level, and stands for the others. "
              + "Documents under a budget are all read. `1` reads every document.");
  private final Knob<ByteSizeValue> oversized =
      new Knob<>(
          Setting.byteSizeSetting(
              PREFIX + ".oversized",
              new ByteSizeValue(100, ByteSizeUnit.KB),
              new ByteSizeValue(1, ByteSizeUnit.KB),
              new ByteSizeValue(1, ByteSizeUnit.GB),
              Property.NodeScope,
              Property.Dynamic),
          "A document of this size or more is counted as oversized.");
  private final SourceLedger ledger;
  private volatile @Nullable ThreadContext context;
  private final LongAdder bytes = new LongAdder();
  private final LongAdder documents = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private volatile DocumentScan scan = new DocumentScan(List.of(), List.of());

  /** As the product has it. */
  public SourceControlFeature() {
    this(System::currentTimeMillis);
  }

  /**
   * @param clock milliseconds since the epoch
   */
  SourceControlFeature(LongSupplier clock) {
    ledger = new SourceLedger(clock);
    Knob.follow(() -> scan = new DocumentScan(services.value(), levels.value()), services, levels);
  }

  private static Knob<List<String>> names(String name, List<String> byDefault, String doc) {
    return new Knob<>(
        Setting.listSetting(
            PREFIX + "." + name,
            byDefault,
            Function.identity(),
            Property.NodeScope,
            Property.Dynamic),
        doc);
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "counts bytes, documents and levels per source and day, and holds back sources that are"
        + " over a budget";
  }

  @Override
  public List<String> sources() {
    return List.of("source-control");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(budgets, services, levels, oneOf, oversized);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter("bytes", "bytes", "Bytes of documents in bulks", bytes::sum),
        Metric.counter("documents", "documents", "Documents in bulks", documents::sum),
        Metric.counter(
            "documents_dropped",
            "documents",
            "Documents refused because their budget was used up",
            dropped::sum),
        Metric.gauge("budgets_exceeded", "budgets", "Budgets used up today", ledger::exceeded));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.actionFilter(new SourceFilter(this));
    hooks.report("sources", () -> Map.of("days", ledger.report()));
  }

  @Override
  public void start(NodeServices services) {
    context = services.threadPool().getThreadContext();
  }

  /** Key or user of the request that this thread works for; empty when nobody is recognized. */
  String sender() {
    ThreadContext now = context;
    return now == null ? "" : Sender.of(now);
  }

  List<Budget> budgets() {
    return budgets.value();
  }

  int readOneOf() {
    return oneOf.value();
  }

  long oversized() {
    return oversized.value().getBytes();
  }

  DocumentScan scan() {
    return scan;
  }

  SourceLedger ledger() {
    return ledger;
  }

  void counted(SourceTally all) {
    bytes.add(all.bytes());
    documents.add(all.documents());
    dropped.add(all.dropped());
  }
}
