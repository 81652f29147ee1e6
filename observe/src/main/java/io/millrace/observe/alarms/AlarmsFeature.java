package io.millrace.observe.alarms;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.kernel.report.DiskRelief;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.observe.freshness.Freshness;
import io.millrace.observe.gc.GcObservation;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.cluster.node.stats.NodesStatsResponse;
import org.opensearch.cluster.routing.allocation.DiskThresholdSettings;
import org.opensearch.common.lifecycle.Lifecycle;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/** Alarms with defaults that need no tuning; {@link AlarmRules} lists them. */
public final class AlarmsFeature implements Feature {
  private static final Logger LOG = LogManager.getLogger(AlarmsFeature.class);
  private static final TimeValue TICK = TimeValue.timeValueSeconds(5);

  private final Switch enabled = Feature.switchFor(id(), true);
  private final DiskAdvice advice = new DiskAdvice(this::reliefs, System::nanoTime);
  private final List<AlarmRule> rules = new AlarmRules(prefix(), advice::sentence).all();
  private final Knob<String> webhookUrl =
      new Knob<>(
          Setting.simpleString(prefix() + ".webhook.url", Property.NodeScope, Property.Filtered),
          "The http or https address to which every alarm that starts or ends is sent as "
              + "JSON, by POST. Empty sends nothing. It is set in `opensearch.yml` only, so "
              + "that no API can make nodes send requests. No API shows it, because such "
              + "addresses hold secrets.");
  private final Knob<TimeValue> webhookTimeout =
      new Knob<>(
          Checked.time(
              prefix() + ".webhook.timeout",
              TimeValue.timeValueSeconds(5),
              TimeValue.timeValueMillis(100),
              TimeValue.timeValueMinutes(1),
              Property.NodeScope,
              Property.Dynamic),
          "How long the webhook's server may take to accept the connection, and again to "
              + "answer, from 100 ms to 1 minute. A message is dropped after three tries.");

  private final GcObservation gc;
  private final Freshness freshness;
  private final Alarms alarms = new Alarms(rules);
  private final AtomicBoolean reading = new AtomicBoolean();
  private Supplier<List<DiskRelief>> reliefs = List::of;
  private Scheduler.@Nullable Cancellable looking;
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

  @Override
  public String id() {
    return "observe.alarms";
  }

  @Override
  public String summary() {
    return "`GET /_millrace/alarms` names stalls, refused work, late refreshes and full "
        + "disks, with what to do";
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
    return Stream.concat(
            rules.stream().flatMap(rule -> rule.knobs().stream()),
            Stream.of(webhookUrl, webhookTimeout))
        .toList();
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
        Metric.counter("fired", "alarms", "How often an alarm started", alarms::fired),
        Metric.counter(
            "webhook_sent",
            "messages",
            "Messages that the webhook's server accepted",
            () -> Optional.ofNullable(webhook).map(Webhook::sent).orElse(0L)),
        Metric.counter(
            "webhook_lost",
            "messages",
            "Messages dropped after three tries, or because too many waited",
            () -> Optional.ofNullable(webhook).map(Webhook::lost).orElse(0L)));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.report("alarms", alarms);
    reliefs = hooks::diskReliefs;
  }

  private List<DiskRelief> reliefs() {
    return reliefs.get();
  }

  @Override
  public void start(NodeServices nodeServices) {
    services = nodeServices;
    startWebhook(nodeServices);
    NodeReader reader =
        new NodeReader(
            gc,
            freshness,
            new DiskThresholdSettings(
                nodeServices.environment().settings(),
                nodeServices.clusterService().getClusterSettings()),
            new TaggedFigures(nodeServices.features()));
    looking =
        nodeServices
            .threadPool()
            .scheduleWithFixedDelay(
                () -> look(nodeServices, reader), TICK, ThreadPool.Names.GENERIC);
  }

  private void startWebhook(NodeServices services) {
    URI uri = WebhookAddress.parse(webhookUrl.key(), webhookUrl.value());
    if (uri == null) {
      return;
    }
    ThreadPool pool = services.threadPool();
    webhook =
        new Webhook(
            () -> enabled.on() ? new Webhook.Target(uri, timeoutMillis()) : null,
            new HttpPost(),
            pool.generic(),
            (millis, task) ->
                pool.schedule(task, TimeValue.timeValueMillis(millis), ThreadPool.Names.GENERIC));
  }

  private int timeoutMillis() {
    return (int) webhookTimeout.value().millis();
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
        ActionListener.wrap(
            response -> judge(reader.read(response.getNodes().get(0), System.nanoTime()), services),
            e -> {
              LOG.debug("this node's statistics could not be read", e);
              reading.set(false);
            });
    try {
      String node = services.clusterService().localNode().getId();
      services.client().admin().cluster().nodesStats(NodeReader.request(node), listener);
    } catch (RuntimeException e) {
      // before the node has joined, or while it closes
      listener.onFailure(e);
    }
  }

  private void judge(Reading now, NodeServices services) {
    advice.ask(
        now.disk() != Reading.Watermark.NONE,
        services.clusterService().localNode().getId(),
        services.threadPool(),
        () -> {
          try {
            judge(now);
          } finally {
            reading.set(false);
          }
        });
  }

  /** Takes one reading and logs what changed. */
  void judge(Reading reading) {
    long now = System.currentTimeMillis();
    for (Alarm alarm : alarms.read(reading, now)) {
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
