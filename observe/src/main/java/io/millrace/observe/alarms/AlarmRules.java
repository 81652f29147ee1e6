package io.millrace.observe.alarms;

import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.observe.alarms.Alarm.Severity;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;

/** Every alarm of a node, in the order in which they are shown; one entry is the whole alarm. */
final class AlarmRules {
  private final String prefix;
  private final Supplier<String> relief;

  /**
   * @param prefix of the settings, without the dot at its end
   * @param relief what would free a full disk, as a sentence; empty where nobody knows
   */
  AlarmRules(String prefix, Supplier<String> relief) {
    this.prefix = prefix;
    this.relief = relief;
  }

  /** New rules, one set per node. */
  List<AlarmRule> all() {
    return List.of(
        counted(
            "allocation_stalls",
            Severity.CRITICAL,
            "The alarm fires at this many allocation stalls in a minute. `0` switches it off.",
            Reading::allocationStalls,
            "Threads wait for ZGC to free memory",
            now ->
                "Raise the heap or ConcGCThreads, or take load off the node; see GET"
                    + " /_millrace/gc"),
        counted(
            "full_collections",
            Severity.CRITICAL,
            "The alarm fires at this many full collections in a minute. `0` switches it off.",
            Reading::fullCollections,
            "A full collection stopped every thread",
            now -> "Find what fills the heap: breakers, fielddata, large bulks and aggregations"),
        new HeapHighRule(
            new Knob<>(
                Setting.intSetting(
                    prefix + ".heap_percent", 85, 0, 100, Property.NodeScope, Property.Dynamic),
                "The alarm fires when the heap after collection is at this percentage of its "
                    + "limit or more, for as long as `heap_for` says. `0` switches it off."),
            time(
                "heap_for",
                TimeValue.timeValueMinutes(5),
                "How long the heap after collection must stay at `heap_percent` or more before "
                    + "the alarm fires.")),
        counted(
            "rejected_writes",
            Severity.CRITICAL,
            "The alarm fires at this many refused writes in a minute. `0` switches it off.",
            Reading::rejectedWrites,
            "Writes are refused",
            now ->
                "Clients must retry with a pause; look for hot shards, merges that hold writers "
                    + "back, slow disks"),
        counted(
            "rejected_searches",
            Severity.WARNING,
            "The alarm fires at this many refused searches in a minute. `0` switches it off.",
            Reading::rejectedSearches,
            "Searches are refused",
            now -> "Look for slow and wide searches: GET _tasks?actions=*search&detailed"),
        counted(
            "breaker_trips",
            Severity.WARNING,
            "The alarm fires when circuit breakers have refused this many requests in a "
                + "minute. `0` switches it off.",
            Reading::breakerTrips,
            "Circuit breakers refuse requests",
            now ->
                "Make requests smaller: bulk size, aggregation size, fielddata; see GET"
                    + " _nodes/stats/breaker"),
        new LateRefreshRule(
            new Knob<>(
                Checked.number(
                    prefix + ".refresh_lag", 2, 0, 1000, Property.NodeScope, Property.Dynamic),
                "The alarm fires when a write waits for its search this many times as long as "
                    + "its index promises plus a second. `0` switches it off.")),
        new ThresholdRule(
            "merge_debt",
            Severity.WARNING,
            time(
                "merge_throttled",
                TimeValue.timeValueSeconds(3),
                "The alarm fires when merges have held indexing back for this long in a minute. "
                    + "`0` switches it off."),
            Reading::throttledMillis,
            true,
            "Merges hold indexing back",
            now ->
                "The disk is slower than the writes: longer refresh interval, faster disk, more"
                    + " nodes"),
        new ThresholdRule(
            "uploads_wait",
            Severity.WARNING,
            time(
                "uploads_wait",
                TimeValue.timeValueSeconds(2),
                "The alarm fires when a request body has waited this long for memory. `0` "
                    + "switches it off."),
            now -> now.figure(Tag.UPLOAD_WAIT).value(),
            false,
            "Request bodies wait for memory before they are read: more comes than the node takes",
            now ->
                "Fewer or smaller bulks at once, look for clients that stall, or add nodes; see GET"
                    + stats(now, Tag.UPLOAD_WAIT)),
        counted(
            "slow_uploads",
            Severity.WARNING,
            "The alarm fires when this many request bodies in a minute waited too long for "
                + "memory, or came too slowly. `0` switches it off.",
            now -> now.figure(Tag.REFUSED_UPLOADS).value(),
            "Request bodies waited too long for memory (429), or came too slowly and their "
                + "clients were disconnected",
            now ->
                "Look for clients that stall and for bulks that are too large or too many at once;"
                    + " see GET"
                    + stats(now, Tag.REFUSED_UPLOADS)),
        counted(
            "slow_readers",
            Severity.WARNING,
            "The alarm fires when this many clients in a minute were disconnected because "
                + "they did not read. `0` switches it off.",
            now -> now.figure(Tag.CLOSED_READERS).value(),
            "Clients that do not read their responses were disconnected",
            now ->
                "Look for clients that hang or ask for more than they read: deep pages, pipelined"
                    + " searches; the log names their addresses"),
        counted(
            "requests_stopped",
            Severity.WARNING,
            "The alarm fires when this many searches and bulks in a minute were stopped or "
                + "refused to save the heap. `0` switches it off.",
            now -> now.figure(Tag.STOPPED_REQUESTS).value(),
            "Searches or bulks were stopped before they filled the heap",
            now ->
                "The log names each with its source: fewer buckets, hits and collected values,"
                    + " smaller bulks"),
        new LostValuesRule(
            new Knob<>(
                Setting.longSetting(
                    prefix + ".lost_values", 100, 0, Property.NodeScope, Property.Dynamic),
                "The alarm fires when values of this many documents in a minute were left out of"
                    + " the index or cut. `0` switches it off.")),
        new ThresholdRule(
            "ending_certificates",
            Severity.CRITICAL,
            new Knob<>(
                Setting.longSetting(
                    prefix + ".ending_certificates", 1, 0, Property.NodeScope, Property.Dynamic),
                "The alarm fires when this many TLS certificates of the node end soon. `0` "
                    + "switches it off."),
            now -> now.figure(Tag.ENDING_CERTIFICATES).value(),
            false,
            "A TLS certificate ends soon: after that no client and no node connects",
            now ->
                "millrace certificates renew, and put the new files in the place of the old; no"
                    + " restart is needed; see GET /_millrace/certificates"),
        new ThresholdRule(
            "managers_without_plugin",
            Severity.CRITICAL,
            new Knob<>(
                Setting.longSetting(
                    prefix + ".managers_without_plugin",
                    1,
                    0,
                    Property.NodeScope,
                    Property.Dynamic),
                "The alarm fires when this many nodes without the plugin are, or may be elected, "
                    + "cluster manager. `0` switches it off."),
            now -> now.figure(Tag.MANAGERS_WITHOUT_PLUGIN).value(),
            false,
            "A node without the plugin is, or may be elected, cluster manager: while it is, "
                + "documents with new fields are refused in indices with log_text fields",
            now ->
                "Install the plugin there, or take the role cluster_manager away; GET /_millrace"
                    + " names the node"),
        new ThresholdRule(
            "wrong_credentials",
            Severity.WARNING,
            new Knob<>(
                Setting.longSetting(
                    prefix + ".wrong_credentials", 60, 0, Property.NodeScope, Property.Dynamic),
                "The alarm fires when this many requests in a minute had wrong credentials. `0` "
                    + "switches it off."),
            now -> now.figure(Tag.FAILED_LOGINS).value(),
            true,
            "Requests come with wrong credentials: somebody guesses, or a client has an old"
                + " password",
            now ->
                "The audit log names their addresses (logs/*_audit.log); see GET"
                    + stats(now, Tag.FAILED_LOGINS)),
        state(
            "stopped_streams",
            Severity.CRITICAL,
            "The alarm fires when this many shards stopped reading their stream. `0` switches it "
                + "off.",
            Tag.STOPPED_STREAMS,
            "A shard reads its stream no more though nobody paused it: its index gets no new"
                + " documents",
            "The node's log names the record or the broker; millrace pipeline kafka resume tries"
                + " again; see GET /_millrace/streams"),
        state(
            "late_streams",
            Severity.WARNING,
            "The alarm fires when records of this many indices wait too long in the stream that"
                + " they read. `0` switches it off.",
            Tag.LATE_STREAMS,
            "Records wait too long on their way from a stream into their index",
            "millrace pipeline kafka status names the slow stage; see GET /_millrace/streams"),
        new DiskRule(relief));
  }

  /** An alarm on a state that features count; the setting has the alarm's name. */
  private AlarmRule state(
      String name, Severity severity, String doc, Tag tag, String what, String action) {
    return new ThresholdRule(
        name,
        severity,
        new Knob<>(
            Setting.longSetting(prefix + "." + name, 1, 0, Property.NodeScope, Property.Dynamic),
            doc),
        now -> now.figure(tag).value(),
        false,
        what,
        now -> action);
  }

  /** An alarm on a counter; the setting has the alarm's name. */
  private AlarmRule counted(
      String name,
      Severity severity,
      String doc,
      ToLongFunction<Reading> counter,
      String what,
      Function<Reading, String> action) {
    Knob<Long> least =
        new Knob<>(
            Setting.longSetting(prefix + "." + name, 1, 0, Property.NodeScope, Property.Dynamic),
            doc);
    return new ThresholdRule(name, severity, least, counter, true, what, action);
  }

  private Knob<TimeValue> time(String name, TimeValue byDefault, String doc) {
    return new Knob<>(
        Checked.time(
            prefix + "." + name, byDefault, TimeValue.ZERO, Property.NodeScope, Property.Dynamic),
        doc);
  }

  /** Where the features that count under a tag show their figures. */
  private static String stats(Reading now, Tag tag) {
    return " /_millrace/stats?feature=" + now.figure(tag).features();
  }
}
