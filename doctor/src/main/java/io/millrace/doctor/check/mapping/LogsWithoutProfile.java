package io.millrace.doctor.check.mapping;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Index;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.tune.Tunings;
import io.millrace.doctor.unit.Units;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** On Millrace, logs whose index has a name that nothing gives a profile to. */
public final class LogsWithoutProfile extends Rule {
  private static final long LEAST = 1 << 20;
  private static final Set<String> TIMES =
      Set.of("@timestamp", "timestamp", "time", "starttime", "start_time");
  private static final Set<String> MESSAGES =
      Set.of("message", "msg", "log", "line", "body", "event.original", "log.original");

  public LogsWithoutProfile() {
    super(
        new About(
            "logs-without-profile",
            Area.MAPPING,
            "Logs are stored as on stock, although Millrace is there",
            "every node runs Millrace, and an index of 1 MB or more that has a time and a message in its mapping has no index.millrace.profile",
            "Indices get a profile by their name, by a template or by the request that creates them. Without one they keep stock's codec, mapping and refresh interval.",
            "write/docs/profiles-measured.md: bytes and CPU of a log document, nothing set by hand",
            "about a third of the bytes and half of the CPU for each new document, with the mapping that Millrace suggests"),
        Probe.NODES,
        Probe.INDEX_SETTINGS,
        Probe.INDEX_STATS,
        Probe.MAPPINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    if (!Tunings.millrace(snapshot)) {
      return Optional.empty();
    }
    List<Index> plain =
        snapshot.userIndices().stream()
            .filter(index ->
                index.setting(Tunings.PROFILE) == null && index.bytes() >= LEAST && logs(index))
            .toList();
    plain.forEach(index ->
        diagnosis
            .found(Severity.INFO, index.name())
            .seen(index.statPath("primaries.store.size_in_bytes"), Units.size(index.bytes())));
    List<String> families = plain.stream().map(Index::family).distinct().sorted().toList();
    return diagnosis.saying(
        Units.size(plain.stream().mapToLong(Index::bytes).sum())
            + " of logs have no profile: "
            + diagnosis.names()
            + ".",
        Fix.advice(
            "Call the next ones logs-..., or put their names ("
                + String.join(", ", families)
                + ") into a template: GET /_millrace/profiles/logs suggests one. millrace tune --profile logs --index "
                + String.join(",", families)
                + " shows what can be set meanwhile. _reindex moves what is there."));
  }

  /** A time and a text that is a message: what is searched by words and read by time. */
  private static boolean logs(Index index) {
    boolean time = false;
    boolean message = false;
    for (Map.Entry<String, JsonNode> field : Fields.of(index).entrySet()) {
      String type = field.getValue().path("type").asText();
      String name = field.getKey().toLowerCase(Locale.ROOT);
      time |= type.startsWith("date") && TIMES.contains(name);
      message |= type.endsWith("text") && MESSAGES.contains(name);
    }
    return time && message;
  }
}
