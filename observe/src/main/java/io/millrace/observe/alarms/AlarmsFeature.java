package io.millrace.observe.alarms;

import io.millrace.kernel.Feature;
import io.millrace.kernel.Hooks;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.observe.freshness.Freshness;
import io.millrace.observe.gc.GcObservation;
import io.millrace.observe.nodes.RestNodeReportAction;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.cluster.node.stats.NodesStatsResponse;
import org.opensearch.cluster.routing.allocation.DiskThresholdSettings;
import org.opensearch.common.lifecycle.Lifecycle;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.plugins.ActionPlugin.ActionHandler;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Alarms with defaults that need no tuning (seed 004 watched the old generation, full collections
 * and stalls; the design adds refused work, late refreshes, merges, breakers and disks).
 */
public final class AlarmsFeature implements Feature {
  private static final Logger LOG = LogManager.getLogger(AlarmsFeature.class);
  private static final TimeValue TICK = TimeValue.timeValueSeconds(5);

  private final Switch enabled = Feature.switchFor(id(), true);
  private final Setting<Long> stalls = perMinute("allocation_stalls", 1);
  private final Setting<Long> full = perMinute("full_collections", 1);
  private final Setting<Integer> heap =
      Setting.intSetting(
          prefix() + ".heap_percent", 85, 0, 100, Property.NodeScope, Property.Dynamic);
  private final Setting<TimeValue> heapFor =
      Setting.timeSetting(
          prefix() + ".heap_for",
          TimeValue.timeValueMinutes(5),
          TimeValue.ZERO,
          Property.NodeScope,
          Property.Dynamic);
  private final Setting<Long> writes = perMinute("rejected_writes", 1);
  private final Setting<Long> searches = perMinute("rejected_searches", 1);
  private final Setting<Long> trips = perMinute("breaker_trips", 1);
  private final Setting<Double> lag =
      Setting.doubleSetting(
          prefix() + ".refresh_lag", 2, 0, 1000, Property.NodeScope, Property.Dynamic);
  private final Setting<TimeValue> throttled =
      Setting.timeSetting(
          prefix() + ".merge_throttled",
          TimeValue.timeValueSeconds(3),
          TimeValue.ZERO,
          Property.NodeScope,
          Property.Dynamic);
  private final Setting<TimeValue> uploadsWait =
      Setting.timeSetting(
          prefix() + ".uploads_wait",
          TimeValue.timeValueSeconds(2),
          TimeValue.ZERO,
          Property.NodeScope,
          Property.Dynamic);
  private final Setting<Long> uploads = perMinute("slow_uploads", 1);
  private final Setting<Long> readers = perMinute("slow_readers", 1);
  private final Setting<Long> stopped = perMinute("requests_stopped", 1);

  private final Setting<String> webhookUrl =
      Setting.simpleString(prefix() + ".webhook.url", Property.NodeScope, Property.Filtered);
  private final Setting<TimeValue> webhookTimeout =
      Setting.timeSetting(
          prefix() + ".webhook.timeout",
          TimeValue.timeValueSeconds(5),
          TimeValue.timeValueMillis(100),
          TimeValue.timeValueMinutes(1),
          Property.NodeScope,
          Property.Dynamic);

  private final List<Knob<?>> knobs =
      List.of(
          new Knob<>(
              stalls, "Allocation stalls in a minute from which on the alarm fires; 0: never."),
          new Knob<>(full, "Full collections in a minute from which on the alarm fires; 0: never."),
          new Knob<>(heap, "Heap after collection, in percent of its limit, too high; 0: never."),
          new Knob<>(heapFor, "For how long the heap must be too high."),
          new Knob<>(writes, "Refused writes in a minute from which on the alarm fires; 0: never."),
          new Knob<>(
              searches, "Refused searches in a minute from which on the alarm fires; 0: never."),
          new Knob<>(
              trips,
              "Requests refused by breakers in a minute from which on the alarm fires; 0: never."),
          new Knob<>(
              lag,
              "How many times its promise (plus a second) a write may wait for its search; 0: any."),
          new Knob<>(
              throttled,
              "Time in a minute for which merges hold indexing back from which on the alarm fires; 0:"
                  + " never."),
          new Knob<>(
              uploadsWait,
              "For how long a request body may wait for memory before the alarm fires; 0: any time."),
          new Knob<>(
              uploads,
              "Request bodies refused or closed in a minute, for lack of memory or of bytes, from which on"
                  + " the alarm fires; 0: never."),
          new Knob<>(
              readers,
              "Clients closed in a minute because they do not read from which on the alarm fires; 0:"
                  + " never."),
          new Knob<>(
              stopped,
              "Searches and bulks stopped by the guards in a minute from which on the alarm fires; 0:"
                  + " never."),
          new Knob<>(
              webhookUrl,
              "Where to POST every alarm that starts or ends, as JSON; http or https. Empty: nowhere. Set in"
                  + " opensearch.yml only, so that no API can make nodes send requests anywhere; shown"
                  + " by no API, because such addresses hold secrets."),
          new Knob<>(
              webhookTimeout,
              "For how long the webhook may take to accept the connection, and again to answer. 100 ms to"
                  + " 1 minute; three tries, then the message is dropped."));

  private final GcObservation gc;
  private final Freshness freshness;
  private final Alarms alarms = new Alarms();
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile Thresholds thresholds = thresholds(Settings.EMPTY);
  private Scheduler.@Nullable Cancellable looking;
  private volatile Webhook.@Nullable Target target;
  private volatile @Nullable Webhook webhook;
  private volatile @Nullable NodeServices services;

  /**
   * @param gc where stalls, full collections and the heap come from
   * @param freshness where late indices come from
   */
  public AlarmsFeature(GcObservation gc, Freshness freshness) {
    this.gc = gc;
    this.freshness = freshness;
  }

  private Setting<Long> perMinute(String name, long count) {
    return Setting.longSetting(
        prefix() + "." + name, count, 0, Property.NodeScope, Property.Dynamic);
  }

  @Override
  public String id() {
    return "observe.alarms";
  }

  @Override
  public String summary() {
    return "GET /_millrace/alarms: stalls, refused work, late refreshes, full disks, with what to do";
  }

  @Override
  public List<String> sources() {
    return List.of("zgc-figures");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return knobs;
  }

  private Thresholds thresholds(Settings settings) {
    return new Thresholds(
        stalls.get(settings),
        full.get(settings),
        heap.get(settings),
        heapFor.get(settings).nanos(),
        writes.get(settings),
        searches.get(settings),
        trips.get(settings),
        lag.get(settings),
        throttled.get(settings).millis(),
        uploadsWait.get(settings).millis(),
        uploads.get(settings),
        readers.get(settings),
        stopped.get(settings));
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric(
            "firing",
            Kind.GAUGE,
            "alarms",
            "1 while an alarm fires, by alarm",
            Merge.SUM,
            () ->
                alarms.alarms().stream()
                    .map(alarm -> new Sample(Map.of("alarm", alarm.name()), alarm.firing() ? 1 : 0))
                    .toList()),
        Metric.counter("fired", "alarms", "Times an alarm started", alarms::fired),
        Metric.counter(
            "webhook_sent",
            "messages",
            "Messages that the webhook's address accepted",
            () -> Optional.ofNullable(webhook).map(Webhook::sent).orElse(0L)),
        Metric.counter(
            "webhook_lost",
            "messages",
            "Messages given up after three tries or because too many waited",
            () -> Optional.ofNullable(webhook).map(Webhook::lost).orElse(0L)));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.component(alarms);
    hooks.action(new ActionHandler<>(AlarmsAction.INSTANCE, TransportAlarmsAction.class));
    hooks.rest(new RestNodeReportAction("alarms", AlarmsAction.INSTANCE));
  }

  @Override
  public void start(NodeServices nodeServices) {
    services = nodeServices;
    Settings settings = nodeServices.environment().settings();
    ClusterSettings updates = nodeServices.clusterService().getClusterSettings();
    thresholds = thresholds(settings);
    updates.addSettingsUpdateConsumer(
        changed -> thresholds = thresholds(changed),
        List.of(
            stalls,
            full,
            heap,
            heapFor,
            writes,
            searches,
            trips,
            lag,
            throttled,
            uploadsWait,
            uploads,
            readers,
            stopped));
    startWebhook(nodeServices, settings, updates);
    NodeReader reader =
        new NodeReader(
            gc,
            freshness,
            new DiskThresholdSettings(settings, updates),
            new GuardFigures(nodeServices.features()));
    looking =
        nodeServices
            .threadPool()
            .scheduleWithFixedDelay(
                () -> look(nodeServices, reader), TICK, ThreadPool.Names.GENERIC);
  }

  private void startWebhook(NodeServices services, Settings settings, ClusterSettings updates) {
    URI uri = WebhookAddress.parse(webhookUrl.getKey(), webhookUrl.get(settings));
    if (uri == null) {
      return;
    }
    updates.addSettingsUpdateConsumer(
        webhookTimeout, timeout -> target = new Webhook.Target(uri, (int) timeout.millis()));
    target = new Webhook.Target(uri, (int) webhookTimeout.get(settings).millis());
    ThreadPool pool = services.threadPool();
    webhook =
        new Webhook(
            () -> enabled.on() ? target : null,
            new HttpPost(),
            pool.generic(),
            (millis, task) ->
                pool.schedule(task, TimeValue.timeValueMillis(millis), ThreadPool.Names.GENERIC));
  }

  private void look(NodeServices services, NodeReader reader) {
    if (!enabled.on()) {
      alarms.clear();
      return;
    }
    if (services.clusterService().lifecycleState() != Lifecycle.State.STARTED) {
      return; // no cluster state yet, on a machine that starts slowly, or none any more
    }
    if (!reading.compareAndSet(false, true)) {
      return; // the last one still waits for its statistics
    }
    ActionListener<NodesStatsResponse> listener =
        ActionListener.runAfter(
            ActionListener.wrap(
                response ->
                    response
                        .getNodes()
                        .forEach(node -> judge(reader.read(node, System.nanoTime()))),
                e -> LOG.debug("this node's statistics could not be read", e)),
            () -> reading.set(false));
    try {
      String node = services.clusterService().localNode().getId();
      services.client().admin().cluster().nodesStats(NodeReader.request(node), listener);
    } catch (RuntimeException e) {
      // before the node has joined, or while it closes
      listener.onFailure(e);
    }
  }

  /** Takes one reading and logs what changed. */
  void judge(Reading reading) {
    long now = System.currentTimeMillis();
    for (Alarm alarm : alarms.read(reading, thresholds, now)) {
      tell(alarm, now);
      if (alarm.firing()) {
        LOG.warn(
            "alarm [{}] fires: {}: [{}], threshold [{}]. {}",
            alarm.name(),
            alarm.what(),
            alarm.value(),
            alarm.threshold(),
            alarm.action());
      } else {
        LOG.info("alarm [{}] ended", alarm.name());
      }
    }
  }

  private void tell(Alarm alarm, long now) {
    Webhook hook = webhook;
    NodeServices node = services;
    if (hook != null && node != null) {
      hook.tell(
          node.clusterService().getClusterName().value(),
          node.clusterService().getNodeName(),
          alarm,
          now);
    }
  }

  @Override
  public void stop() {
    if (looking != null) {
      looking.cancel();
    }
  }
}
