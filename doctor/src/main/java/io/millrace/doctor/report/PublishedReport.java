package io.millrace.doctor.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.catalogue.Examination;

/**
 * The last report, kept in the cluster itself: one document of a hidden index, which the dashboard
 * of every Millrace node reads and shows. No node runs a check for it, and it outlives them all.
 *
 * <p>The document is the JSON report with shorter lists, so that its size does not grow with the
 * number of indices: a full list stands in the report that the command writes.
 */
public final class PublishedReport {
  /** Hidden, so that a search over all indices does not find it; the page reads this name. */
  public static final String INDEX = ".millrace-doctor";

  /** Replaced by every report. */
  public static final String ID = "latest";

  private static final int MOST_SUBJECTS = 20;
  private static final int MOST_CALLS = 5;

  /** {@code dynamic: false}: a report adds no field to the mapping. */
  private static final String CREATED =
      "{\"settings\":{\"index.number_of_shards\":1,\"index.auto_expand_replicas\":\"0-1\",\"index.hidden\":true},"
          + "\"mappings\":{\"dynamic\":false,\"properties\":{\"taken\":{\"type\":\"date\"}}}}";

  private static final String NEEDED =
      "The user needs the rights to create and write the index " + INDEX + ".";

  private PublishedReport() {}

  /**
   * Replaces the report that the dashboard shows.
   *
   * @param url where the cluster answers, for commands to paste
   * @throws ExpectedFailure when no node shows a dashboard, or the cluster refuses to write
   */
  public static void publish(ClusterClient client, Examination examination, String url) {
    Answer millrace = client.call("GET", "/_millrace", null);
    if (millrace.status() != 200 || millrace.json() == null) {
      throw refused(
          client,
          millrace,
          "Only Millrace nodes have a dashboard to show it. --format html -o FILE writes a page.");
    }
    Answer created = client.call("PUT", "/" + INDEX, CREATED);
    if (created.status() != 200 && !error(created).equals("resource_already_exists_exception")) {
      throw refused(client, created, NEEDED);
    }
    Answer written =
        client.call(
            "PUT",
            "/" + INDEX + "/_doc/" + ID + "?refresh=true",
            document(examination, url).toString());
    if (written.status() != 200 && written.status() != 201) {
      throw refused(client, written, NEEDED);
    }
  }

  /** What the page gets. */
  static ObjectNode document(Examination examination, String url) {
    ObjectNode json = JsonReport.tree(examination, url);
    json.put("counts", examination.counts());
    for (JsonNode finding : json.path("findings")) {
      ObjectNode one = (ObjectNode) finding;
      one.put("subjects_total", one.path("subjects").size());
      cut(one.path("subjects"), MOST_SUBJECTS);
      for (String calls : new String[] {"fix", "undo"}) {
        ObjectNode part = (ObjectNode) one.path(calls);
        part.put("calls_total", part.path("calls").size());
        cut(part.path("calls"), MOST_CALLS);
      }
    }
    return json;
  }

  private static void cut(JsonNode list, int most) {
    ArrayNode array = (ArrayNode) list;
    while (array.size() > most) {
      array.remove(array.size() - 1);
    }
  }

  private static String error(Answer answer) {
    JsonNode json = answer.json();
    return json == null ? "" : json.path("error").path("type").asText("");
  }

  private static ExpectedFailure refused(ClusterClient client, Answer answer, String remedy) {
    return new ExpectedFailure(
        ExitCode.CLUSTER,
        "the report was not published at "
            + client.given()
            + ": HTTP "
            + answer.status()
            + " "
            + answer.reason(),
        remedy);
  }
}
