package io.millrace.doctor.check.pipeline;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.kafka.KafkaFacts;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Finds the guilty stage: a cluster that is idle does not hold its readers back. */
public final class LagElsewhere extends Rule {
  private static final long BEHIND = 100_000;

  public LagElsewhere() {
    super(
        new About(
            "lag-elsewhere",
            Area.PIPELINE,
            "The cluster is not what the readers wait for",
            "a consumer group is 100,000 records behind or more, while in the window every data node has less than 60 % CPU, an empty write queue, no rejection, no throttling and a disk that is busy for less than 80 % of the time",
            "Settings of the cluster change nothing then: the time is lost between the producers and the bulk request. In one"
                + " report a faster cluster and larger fetches brought nothing for weeks, because producers sent each message alone.",
            "a field report: a full cluster was suspected, CPU, load and disks were low, and unbatched producers were the cause",
            "work on the stage that is slow"),
        Probe.STATS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    KafkaFacts kafka = snapshot.given().kafka();
    List<Node> nodes = snapshot.dataNodes();
    if (kafka == null || nodes.isEmpty() || !nodes.stream().allMatch(LagElsewhere::idle)) {
      return Optional.empty();
    }
    Map<String, Long> groups = new TreeMap<>();
    kafka.lags().forEach(lag -> groups.merge(lag.group(), lag.lag(), Long::sum));
    groups.forEach((group, lag) -> {
      if (lag >= BEHIND) {
        diagnosis.found(Severity.WARN, group.isEmpty() ? "the group" : group).weigh(66);
        for (Node node : nodes) {
          diagnosis.seen(
              node.statPath("os.cpu.percent"),
              node.stat("os.cpu.percent")
                  + " %, writes in the queue "
                  + node.stat("thread_pool." + node.writePool() + ".queue"));
        }
      }
    });
    return diagnosis.saying(
        diagnosis.names() + " is behind, and the cluster is idle meanwhile.",
        Fix.advice(
            "Look at the stages in this order. Producers: linger.ms=1000 and batch.size=524288, since small requests wear out the"
                + " brokers' disks. Brokers: I/O of the disks, cold reads of a group that is far behind. Consumers: time in poll against"
                + " time in processing, more partitions and processes where processing is slower. The way to the cluster: one address,"
                + " a proxy or an agent that takes every bulk apart."));
  }

  private static boolean idle(Node node) {
    String pool = "thread_pool." + node.writePool() + ".";
    long window = node.windowMillis();
    return window > 0
        && node.stats().path("os").path("cpu").has("percent")
        && node.stat("os.cpu.percent") < 60
        && node.stat(pool + "queue") == 0
        && node.grew(pool + "rejected") == 0
        && node.grew("indices.indexing.throttle_time_in_millis") == 0
        && node.grew("fs.io_stats.total.io_time_in_millis") * 10 < window * 8;
  }
}
