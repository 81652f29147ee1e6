package io.millrace.doctor.check.search;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Call;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** One request that runs for minutes, with its text. */
public final class LongTasks extends Rule {
  private static final Pattern HEAVY =
      Pattern.compile("\"wildcard\"|\"regexp\"|\"script\"|\"query_string\"[^}]*\\*|\"prefix\"");

  public LongTasks() {
    super(
        new About(
            "long-tasks",
            Area.SEARCH,
            "Requests run for a long time",
            "a search, bulk or reindex task runs for 60 s or more (warn); a search with a wildcard, regular expression or script for 10 s or more",
            "It holds a thread, heap and often a context on every shard, and its client has usually given up already.",
            "OpenSearch documentation, Tasks",
            "its threads and memory are free again"),
        Probe.TASKS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<Call> cancel = new ArrayList<>();
    for (JsonNode node : snapshot.get(Probe.TASKS).path("nodes")) {
      node.path("tasks")
          .properties()
          .forEach(entry -> {
            JsonNode task = entry.getValue();
            long seconds = task.path("running_time_in_nanos").asLong() / 1_000_000_000;
            String action = task.path("action").asText();
            boolean heavy =
                action.contains("search")
                    && HEAVY.matcher(task.path("description").asText()).find();
            boolean work =
                action.contains("reindex")
                    || action.contains("byquery")
                    || action.contains("forcemerge");
            if (!task.has("parent_task_id") && (seconds >= 60 || (heavy && seconds >= 10))) {
              diagnosis
                  .found(work ? Severity.INFO : Severity.WARN, entry.getKey())
                  .seen(
                      Probe.TASKS.shown() + ": " + entry.getKey(),
                      seconds + " s, " + action + (heavy ? ", wildcard, regexp or script" : ""))
                  .weigh(50);
              if (task.path("cancellable").asBoolean()) {
                cancel.add(new Call("POST", "/_tasks/" + entry.getKey() + "/_cancel", null));
              }
            }
          });
    }
    return diagnosis.saying(
        "Requests run for a long time: " + diagnosis.names() + ".",
        new Fix(
            cancel,
            null,
            "Give searches a limit: search.default_search_timeout, or timeout in the request.",
            List.of(),
            "Send the request again."));
  }
}
