package io.millrace.doctor.check.search;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.doctor.change.SettingsChange;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.Map;
import java.util.Optional;

/** A search without a limit runs on after its user has gone. */
public final class SearchesUnlimited extends Rule {
  private static final String LIMIT = "search.default_search_timeout";

  public SearchesUnlimited() {
    super(
        new About(
            "search-unlimited",
            Area.SEARCH,
            "Searches run without a time limit",
            "a search runs for 30 s or more, and search.default_search_timeout is not set or below 0",
            "Its user has gone, its threads and memory have not. A handful of wildcards or scripts over all indices keeps the"
                + " search threads of the whole cluster busy.",
            "OpenSearch documentation, search.default_search_timeout: no limit unless set",
            "a search ends after a minute with what it has found, marked timed_out"),
        Probe.TASKS,
        Probe.CLUSTER_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    String limit = snapshot.clusterSetting(LIMIT);
    if (limit == null || limit.startsWith("-")) {
      for (JsonNode node : snapshot.get(Probe.TASKS).path("nodes")) {
        node.path("tasks")
            .properties()
            .forEach(entry -> {
              JsonNode task = entry.getValue();
              long seconds = task.path("running_time_in_nanos").asLong() / 1_000_000_000;
              // a scroll's or a point in time's pages are searches of their own
              if (task.path("action").asText().equals("indices:data/read/search")
                  && !task.has("parent_task_id")
                  && seconds >= 30) {
                diagnosis
                    .found(Severity.WARN, entry.getKey())
                    .seen(Probe.TASKS.shown() + ": " + entry.getKey(), seconds + " s")
                    .seen(
                        Probe.CLUSTER_SETTINGS.shown() + ": " + LIMIT,
                        limit == null ? "not set: no limit" : limit)
                    .weigh(45);
              }
            });
      }
    }
    return diagnosis.saying(
        "Searches run without a limit: " + diagnosis.names() + ".",
        SettingsChange.cluster(snapshot, Map.of(LIMIT, "60s"))
            .and("A request that has to run longer names its own timeout."));
  }
}
