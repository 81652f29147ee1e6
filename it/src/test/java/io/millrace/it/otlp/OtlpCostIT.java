package io.millrace.it.otlp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.Request;
import io.millrace.it.access.MeasuredNode;
import io.millrace.it.support.Turns;
import io.millrace.it.support.Turns.Side;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What a node spends on a log record by OTLP, beside a bulk of the same documents: CPU time of one
 * node, in turn, into indices that are alike. It asserts that the documents are the same, and no
 * figure.
 *
 * <p>Run with {@code -Dmillrace.otlp.cost=ROUNDS}. The machine must be at rest.
 */
@EnabledIfSystemProperty(named = "millrace.otlp.cost", matches = "\\d+")
class OtlpCostIT {
  private static final int ROUNDS = Integer.getInteger("millrace.otlp.cost", 20);
  private static final int BATCHES = 40;
  private static final int SIZE = 500;
  private static final String BY_OTLP = "logs-otlp-bench";
  private static final String BY_BULK = "logs-bulk-bench";
  private static final String BY_IDS = "logs-bulk-ids-bench";

  private int batches;

  /** What is sent of a batch, and to where. */
  private interface Sending {
    Request of(LogBatch batch) throws Exception;
  }

  @Test
  void aRecordByOtlpAndTheSameInABulk() throws Exception {
    try (MeasuredNode node =
            new MeasuredNode()
                .start(
                    Tree.MILLRACE.home(),
                    Map.of("http.type", "millrace", "millrace.pipelines.otlp.logs_index", BY_OTLP),
                    false,
                    "");
        ClusterClient client = node.client("")) {
      theDocumentsAreTheSame(client);
      Turns.of(
          ROUNDS,
          List.of(
              side(node, client, "bulk", batch -> bulk(BY_BULK, batch, false)),
              side(node, client, "bulk with ids", batch -> bulk(BY_IDS, batch, true)),
              side(node, client, "OTLP", OtlpCostIT::otlp)),
          "a record");
    }
  }

  private static Request otlp(LogBatch batch) throws Exception {
    return Request.of("POST", "/v1/logs", batch.otlp(), "application/x-protobuf");
  }

  private static Request bulk(String index, LogBatch batch, boolean ids) {
    return Request.of("POST", "/" + index + "/_bulk", batch.bulk(ids), Request.NDJSON);
  }

  private LogBatch next() {
    batches++;
    return new LogBatch(batches, (long) batches * SIZE, SIZE, System.currentTimeMillis(), 1);
  }

  /**
   * Microseconds of CPU for each record; what is sent is made before the clock is read. A piece
   * ends when its records are in segments and no merge goes on, so that none pays for another.
   */
  private Side side(MeasuredNode node, ClusterClient client, String name, Sending sending) {
    return new Side(
        name,
        () -> {
          List<Request> requests = new ArrayList<>();
          for (int i = 0; i < BATCHES; i++) {
            requests.add(sending.of(next()));
          }
          long before = node.cpuNanos();
          for (Request request : requests) {
            accepted(client.send(request));
          }
          accepted(client.send(Request.of("POST", "/logs-*/_refresh")));
          Await.until("merges", Duration.ofMinutes(2), () -> !merging(client));
          return (node.cpuNanos() - before) / 1e3 / (BATCHES * SIZE);
        });
  }

  private static boolean merging(ClusterClient client) throws Exception {
    Answer answer = client.send(Request.of("GET", "/logs-*/_stats/merge?level=cluster"));
    return Objects.requireNonNull(answer.json(), answer::excerpt)
            .at("/_all/total/merges/current")
            .asInt()
        > 0;
  }

  private static void accepted(Answer answer) {
    assertEquals(200, answer.status(), answer::excerpt);
    assertTrue(!answer.text().contains("\"errors\":true"), answer::excerpt);
    assertTrue(!answer.text().contains("partial"), answer::excerpt);
  }

  private void theDocumentsAreTheSame(ClusterClient client) throws Exception {
    LogBatch one = new LogBatch(0, 0, 1, System.currentTimeMillis(), 1);
    accepted(client.send(otlp(one)));
    accepted(client.send(bulk(BY_BULK, one, false)));
    accepted(client.send(Request.of("POST", "/logs-*/_refresh")));
    ObjectMapper json = new ObjectMapper();
    for (String index : List.of(BY_OTLP, BY_BULK)) {
      Answer found = client.send(Request.of("GET", "/" + index + "/_search"));
      ObjectNode source =
          (ObjectNode)
              Objects.requireNonNull(found.json(), found::excerpt).at("/hits/hits/0/_source");
      assertEquals(json.readTree(one.document()), source, index);
    }
  }
}
