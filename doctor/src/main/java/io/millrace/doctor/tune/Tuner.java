package io.millrace.doctor.tune;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.change.SettingsChange;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.PathNames;
import io.millrace.doctor.tune.TuneJournal.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries out the steps of a journal, or takes them back. */
public final class Tuner {
  /** Fields that newer servers put into a template by themselves and take from nobody. */
  private static final List<String> STAMPS =
      List.of("created_date", "created_date_millis", "modified_date", "modified_date_millis");

  private final ClusterClient client;
  private final TuneJournal journal;
  private final Consumer<String> progress;

  /**
   * @param progress is told before each step what it is
   */
  public Tuner(ClusterClient client, TuneJournal journal, Consumer<String> progress) {
    this.client = client;
    this.journal = journal;
    this.progress = progress;
  }

  /** An answer to {@code GET}; a missing node where there is nothing. */
  public static JsonNode get(ClusterClient client, String path) {
    Answer answer = client.call("GET", path, null);
    JsonNode json = answer.json();
    if (answer.status() == 200 && json != null) {
      return json;
    }
    if (answer.status() == 404) {
      return MissingNode.getInstance();
    }
    throw new ExpectedFailure(
        ExitCode.CLUSTER,
        "GET " + path + " failed: HTTP " + answer.status() + " " + answer.reason(),
        answer.status() == 401 || answer.status() == 403 ? "The user may not see it." : null);
  }

  /**
   * Carries out what is not done yet. A step is done when the server shows its values.
   *
   * @throws ExpectedFailure naming the step; those before it stay
   */
  public void apply() {
    sameCluster();
    for (int i = 0; i < journal.steps().size(); i++) {
      Step step = journal.steps().get(i);
      if (journal.state(i) == State.DONE) {
        continue;
      }
      progress.accept(title(i));
      journal.mark(i, State.BEGUN);
      try {
        carryOut(step);
        verify(step);
      } catch (ExpectedFailure e) {
        throw failed(i, e);
      }
      journal.mark(i, State.DONE);
    }
  }

  private String title(int i) {
    Step step = journal.steps().get(i);
    return "step " + (i + 1) + " of " + journal.steps().size() + ": " + PlanText.subject(step);
  }

  private ExpectedFailure failed(int i, ExpectedFailure cause) {
    return new ExpectedFailure(
        cause.exitCode() == ExitCode.NOT_RUNNING ? ExitCode.CLUSTER : cause.exitCode(),
        title(i) + " failed: " + cause.getMessage(),
        "What was done is in "
            + journal.file()
            + ": --resume "
            + journal.file()
            + " goes on, --undo "
            + journal.file()
            + " takes it back.",
        cause);
  }

  private void carryOut(Step step) {
    switch (step.kind()) {
      case INDICES -> set(step.names(), step.wanted());
      case CLOSED_INDEX -> closed(step.names().getFirst(), step.wanted());
      case TEMPLATE, LEGACY_TEMPLATE -> put(step, Objects.requireNonNull(step.after()));
    }
  }

  private void set(List<String> names, Map<String, @Nullable String> values) {
    for (String target : SettingsChange.targets(PathNames.encoded(names))) {
      ask("PUT", "/" + target + "/_settings", Json.object(values));
    }
  }

  /** Opens the index again whatever the server says to the settings. */
  private void closed(String name, Map<String, @Nullable String> values) {
    String path = "/" + PathNames.encoded(name);
    ask("POST", path + "/_close", null);
    try {
      ask("PUT", path + "/_settings", Json.object(values));
    } finally {
      ask("POST", path + "/_open", null);
    }
    ask("GET", "/_cluster/health" + path + "?wait_for_status=yellow&timeout=50s", null);
  }

  private void put(Step step, JsonNode template) {
    ObjectNode body = template.deepCopy();
    body.remove(STAMPS);
    ask("PUT", step.kind().path(PathNames.encoded(step.names().getFirst())), body.toString());
  }

  private void ask(String method, String path, @Nullable String body) {
    Answer answer = client.call(method, path, body);
    JsonNode json = answer.json();
    if (answer.status() != 200
        || json == null
        || !json.path("acknowledged").asBoolean(true)
        || json.path("timed_out").asBoolean(false)) {
      throw new ExpectedFailure(
          answer.status() == 401 || answer.status() == 403 ? ExitCode.CLUSTER : ExitCode.FAILED,
          method + " " + path + ": HTTP " + answer.status() + " " + answer.reason(),
          null);
    }
  }

  private void verify(Step step) {
    if (step.kind().template()) {
      if (!ours(step, template(step))) {
        throw new ExpectedFailure(
            ExitCode.FAILED, "the server shows another template than it took", null);
      }
      return;
    }
    Map<String, Map<String, @Nullable String>> now = present(step);
    now.forEach((name, values) -> {
      if (!values.equals(step.wanted())) {
        throw new ExpectedFailure(
            ExitCode.FAILED, name + " shows " + values + ", not " + step.wanted(), null);
      }
    });
  }

  /** What is set now of a step's keys, by index; an index that is gone is absent. */
  private Map<String, Map<String, @Nullable String>> present(Step step) {
    Map<String, Map<String, @Nullable String>> present = new TreeMap<>();
    for (String target : SettingsChange.targets(PathNames.encoded(step.names()))) {
      get(
              client,
              "/"
                  + target
                  + "/_settings?flat_settings=true&ignore_unavailable=true&allow_no_indices=true")
          .properties()
          .forEach(entry -> {
            Map<String, @Nullable String> values = new TreeMap<>();
            JsonNode settings = entry.getValue().path("settings");
            step.wanted().keySet().forEach(key -> values.put(key, settings.path(key).asText(null)));
            present.put(entry.getKey(), values);
          });
    }
    return present;
  }

  private JsonNode template(Step step) {
    String name = step.names().getFirst();
    JsonNode answer = get(client, step.kind().path(PathNames.encoded(name)));
    return step.kind() == Step.Kind.TEMPLATE
        ? answer.path("index_templates").path(0).path("index_template")
        : answer.path(name);
  }

  /** Whether a template says what a step wrote. */
  private static boolean ours(Step step, JsonNode present) {
    JsonNode after = Objects.requireNonNull(step.after());
    return Globs.of(present).equals(Globs.of(after))
        && settings(step, present).equals(settings(step, after));
  }

  private static Map<String, String> settings(Step step, JsonNode template) {
    return FlatSettings.of(
        step.kind() == Step.Kind.TEMPLATE
            ? template.path("template").path("settings")
            : template.path("settings"));
  }

  /**
   * Takes back what was begun or done, the last first. What somebody else has changed since is left
   * as it is.
   *
   * @return what could not be taken back, in words; empty when everything is as it was
   * @throws ExpectedFailure naming the step; it and those before it still have to be undone
   */
  public List<String> undo() {
    sameCluster();
    List<String> notes = new ArrayList<>();
    for (int i = journal.steps().size() - 1; i >= 0; i--) {
      if (journal.state(i) != State.BEGUN && journal.state(i) != State.DONE) {
        continue;
      }
      progress.accept("undo " + title(i));
      Step step = journal.steps().get(i);
      try {
        if (step.kind().template()) {
          undoTemplate(step, notes);
        } else {
          undoIndices(step, journal.state(i), notes);
        }
      } catch (ExpectedFailure e) {
        throw failed(i, e);
      }
      journal.mark(i, State.UNDONE);
    }
    return notes;
  }

  private void undoIndices(Step step, State state, List<String> notes) {
    Map<String, Map<String, @Nullable String>> now = present(step);
    List<String> back = new ArrayList<>();
    for (String name : step.names()) {
      Map<String, @Nullable String> values = now.get(name);
      if (values == null) {
        notes.add("index " + name + " is gone");
      } else if (values.equals(step.wanted())) {
        back.add(name);
      } else if (!values.equals(step.former())) {
        notes.add(
            "index " + name + " was changed since and stays: " + values + ", not " + step.wanted());
      } else if (step.kind() == Step.Kind.CLOSED_INDEX && state == State.BEGUN) {
        back.add(name); // it may stand closed
      }
    }
    if (back.isEmpty()) {
      return;
    }
    if (step.kind() == Step.Kind.CLOSED_INDEX) {
      closed(back.getFirst(), step.former());
    } else {
      set(back, step.former());
    }
    present(step)
        .forEach((name, values) -> {
          if (back.contains(name) && !values.equals(step.former())) {
            notes.add("index " + name + " shows " + values + ", not " + step.former());
          }
        });
  }

  private void undoTemplate(Step step, List<String> notes) {
    String what = PlanText.subject(step);
    JsonNode before = step.before();
    JsonNode present = template(step);
    if (before == null ? present.isMissingNode() : present.equals(before)) {
      return;
    }
    if (present.isMissingNode() || !ours(step, present)) {
      notes.add(
          what + (present.isMissingNode() ? " is gone" : " was changed since and stays as it is"));
      return;
    }
    if (before == null) {
      ask("DELETE", step.kind().path(PathNames.encoded(step.names().getFirst())), null);
      return;
    }
    put(step, before);
    if (!unstamped(template(step)).equals(unstamped(before))) {
      notes.add(what + " has its settings back; the server writes it in another way than before");
    }
  }

  private static JsonNode unstamped(JsonNode template) {
    return template.deepCopy() instanceof ObjectNode object ? object.remove(STAMPS) : template;
  }

  private void sameCluster() {
    String found = get(client, "/").path("cluster_uuid").asText("");
    if (!found.equals(journal.cluster())) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          journal.file()
              + " is about the cluster "
              + journal.cluster()
              + ", and at "
              + client.given()
              + " is "
              + found,
          "Give the URL of the cluster that was tuned.");
    }
  }
}
