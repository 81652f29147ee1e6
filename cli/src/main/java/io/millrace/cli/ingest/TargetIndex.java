package io.millrace.cli.ingest;

import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The index a run writes to: made when it does not exist and somebody knows its mapping, the user
 * ({@code --mapping}) or, for plain lines, we. A template, an alias or a data stream of that name
 * is left as it is.
 */
final class TargetIndex {
  /** Fields that plain lines are taken apart into. */
  private static final String OF_LINES =
      "{\"settings\":{\"auto_expand_replicas\":\"0-1\"},\"mappings\":{\"properties\":{"
          + "\"@timestamp\":{\"type\":\"date\"},\"level\":{\"type\":\"keyword\"},"
          + "\"host\":{\"type\":\"keyword\"},\"process\":{\"type\":\"keyword\"},"
          + "\"pid\":{\"type\":\"keyword\"},\"tag\":{\"type\":\"keyword\"},"
          + "\"client\":{\"type\":\"keyword\"},\"method\":{\"type\":\"keyword\"},"
          + "\"status\":{\"type\":\"short\"},\"bytes\":{\"type\":\"long\"},"
          + "\"file\":{\"type\":\"keyword\"},\"message\":{\"type\":\"text\"}}}}";

  private final ClusterClient cluster;
  private final String name;
  private final AtomicBoolean ready = new AtomicBoolean();

  TargetIndex(ClusterClient cluster, String name) {
    this.cluster = cluster;
    this.name = name;
  }

  /**
   * Makes the index unless something of that name exists; only the first call of a run does.
   *
   * @param body settings and mappings, JSON
   * @param check what the user can look at when that fails
   * @throws ExpectedFailure when the cluster refuses
   */
  void create(String body, String check) {
    if (!ready.compareAndSet(false, true)
        || cluster.call("HEAD", "/" + name, null).status() == 200) {
      return;
    }
    Answer answer = cluster.call("PUT", "/" + name, body);
    String reason = answer.reason();
    if (answer.status() >= 300
        && !reason.contains("already exists")
        && !reason.contains("creates data streams only")) {
      throw new ExpectedFailure(
          answer.status() == 400 ? ExitCode.USAGE : ExitCode.CLUSTER,
          "index " + name + " cannot be created: HTTP " + answer.status() + " " + reason,
          check);
    }
  }

  /** Makes the index with the fields of plain lines. */
  void createForLines() {
    create(OF_LINES, "Check --index.");
  }

  /** So that a search right after the run finds everything, best effort. */
  void refresh() {
    try {
      cluster.call("POST", "/" + name + "/_refresh", "");
    } catch (ExpectedFailure e) {
      // the index refreshes by itself within a second
    }
  }
}
