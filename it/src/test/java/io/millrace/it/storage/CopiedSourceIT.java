package io.millrace.it.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.it.support.Lines;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Tree;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Everything that reads {@code _source} to write it somewhere else, on an index with columnar
 * source, packed ids and ordinal postings beside one with stock's formats: whatever is done to
 * both, both give the same bytes.
 */
class CopiedSourceIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 1);

  private static final int DOCUMENTS = 400;
  private static final String COLUMNS =
      "\"index.millrace.columnar_source.enabled\":true,"
          + "\"index.millrace.ordinal_postings.fields\":[\"*_id\"],"
          + "\"index.millrace.packed_ids.enabled\":true,\"index.codec\":\"zstandard\",";
  private static final String MAPPING =
      "\"mappings\":{\"properties\":{\"n\":{\"type\":\"integer\"},"
          + "\"trace_id\":{\"type\":\"keyword\"},\"span_id\":{\"type\":\"keyword\"},"
          + "\"level\":{\"type\":\"keyword\"},\"took\":{\"type\":\"double\"},"
          + "\"@timestamp\":{\"type\":\"date\"}}}";

  private final JsonHttp http = CLUSTER.http();

  private void create(String index, boolean columns, int shards) {
    http.put(
            "/" + index,
            ("{\"settings\":{%s\"number_of_shards\":%d,\"number_of_routing_shards\":4,"
                    + "\"number_of_replicas\":0},%s}")
                .formatted(columns ? COLUMNS : "", shards, MAPPING))
        .ok();
  }

  /** Bytes that say more than their values: blanks, escapes, digits as they were typed. */
  private static String source(int n) {
    return ("{\"n\": %d,\"@timestamp\":\"2026-11-21T05:%02d:%02d.%03dZ\",\"took\":%d.50e1 ,"
            + "\"trace_id\":\"%016x%016x\",\"span_id\":[\"%016x\",\"%016x\"],\"level\":\"%s\","
            + "\"tag\":\"caf\\u00e9 %s\",\"nested\":{\"a\":[1, 2 ,null],\"b\":-0},"
            + "\"message\":\"GET /api/v1/orders/%d from 10.0.%d.7 took %d ms\"}")
        .formatted(
            n,
            n / 60 % 60,
            n % 60,
            n,
            n,
            n * 0x9e3779b97f4a7c15L,
            n * 0xbf58476d1ce4e5b9L,
            n * 0x94d049bb133111ebL,
            n * 0xd6e8feb86659fd93L,
            n % 3 == 0 ? "WARN" : "INFO",
            n % 3,
            n,
            n % 250,
            n * 7);
  }

  private void write(String index, int from, int to) {
    StringBuilder body = new StringBuilder();
    for (int n = from; n < to; n++) {
      body.append("{\"index\":{\"_id\":\"").append(n).append("\"}}\n");
      body.append(source(n)).append('\n');
    }
    Lines.accepted(http.post("/" + index + "/_bulk?refresh=true", body.toString()));
  }

  /** "plain" and "columns" with the same documents in several segments, some deleted. */
  private void createBoth(int shards) {
    for (String index : new String[] {"plain", "columns"}) {
      create(index, index.equals("columns"), shards);
      write(index, 0, 150);
      http.post("/" + index + "/_flush").ok();
      write(index, 150, DOCUMENTS);
      write(index, 10, 20);
      http.delete("/" + index + "/_doc/7?refresh=true").ok();
    }
    sameDocuments("plain", "columns");
  }

  /** All hits in order, every byte of them, without the index's name. */
  private String hits(String index, String query) {
    JsonAnswer answer =
        http.post("/" + index + "/_search", "{\"size\":2000,\"sort\":[\"n\"]," + query + "}").ok();
    assertEquals(0, answer.at("/_shards/failed").asInt(), answer::toString);
    String body = answer.body();
    return body.substring(body.indexOf("\"hits\":["))
        .replace("\"_index\":\"" + index + "\"", "\"_index\":\"\"");
  }

  private void sameDocuments(String plain, String columns) {
    for (String index : new String[] {plain, columns}) {
      http.post("/" + index + "/_refresh").ok();
    }
    String all = "\"query\":{\"match_all\":{}}";
    String expected = hits(plain, all);
    assertTrue(expected.contains("\"_source\":{\""), expected);
    assertEquals(expected, hits(columns, all));
    for (int n = 3; n < DOCUMENTS; n += 80) {
      String trace = source(n).replaceAll(".*\"trace_id\":\"([0-9a-f]+)\".*", "$1");
      for (String query :
          new String[] {
            "\"query\":{\"term\":{\"trace_id\":\"" + trace + "\"}}",
            "\"query\":{\"prefix\":{\"trace_id\":\"" + trace.substring(0, 2) + "\"}}",
            "\"query\":{\"range\":{\"span_id\":{\"gte\":\"" + trace.substring(0, 16) + "\"}}}"
          }) {
        assertEquals(hits(plain, query), hits(columns, query), query);
      }
    }
  }

  /** The bytes that were sent are still there. */
  private void unchanged(String index, int n) {
    assertEquals(source(n), http.get("/" + index + "/_source/" + n).ok().body(), index);
  }

  private void inColumns(String index, boolean expected) {
    http.post("/" + index + "/_flush?force=true").ok();
    String body = http.get("/" + index + "/_segments").ok().body();
    assertTrue(body.contains("\"attributes\""), body);
    assertEquals(expected, body.contains("ColumnarSourceFormat.others"), body);
  }

  private static void done(JsonAnswer answer, int documents) {
    assertEquals(0, answer.ok().at("/failures").size(), answer::toString);
    assertEquals(documents, answer.at("/total").asInt(), answer::toString);
  }

  @Test
  void reindex() {
    createBoth(1);
    for (String from : new String[] {"plain", "columns"}) {
      for (String to : new String[] {"plain", "columns"}) {
        String copy = from + "-in-" + to;
        create(copy, to.equals("columns"), 1);
        done(
            http.post(
                "/_reindex?refresh=true",
                "{\"source\":{\"index\":\"%s\",\"size\":90},\"dest\":{\"index\":\"%s\"}}"
                    .formatted(from, copy)),
            DOCUMENTS - 1);
        unchanged(copy, 33);
        inColumns(copy, to.equals("columns"));
      }
    }
    sameDocuments("plain-in-plain", "plain-in-columns");
    sameDocuments("plain-in-plain", "columns-in-plain");
    sameDocuments("plain-in-plain", "columns-in-columns");

    // with a query, a source filter and a script
    for (String index : new String[] {"plain", "columns"}) {
      create(index + "-some", index.equals("columns"), 1);
      done(
          http.post(
              "/_reindex?refresh=true",
              ("{\"source\":{\"index\":\"%s\",\"query\":{\"term\":{\"level\":\"WARN\"}},"
                      + "\"_source\":[\"n\",\"trace_id\",\"message\"]},"
                      + "\"dest\":{\"index\":\"%s-some\"},"
                      + "\"script\":{\"source\":\"ctx._source.copied = true\"}}")
                  .formatted(index, index)),
          DOCUMENTS / 3 + 1);
    }
    sameDocuments("plain-some", "columns-some");
  }

  @Test
  void update() {
    createBoth(1);
    for (String index : new String[] {"plain", "columns"}) {
      String update = "/" + index + "/_update/";
      http.post(update + "1", "{\"doc\":{\"level\":\"FATAL\",\"more\":{\"deep\":[1,2]}}}").ok();
      http.post(update + "2", "{\"script\":{\"source\":\"ctx._source.took += 1\"}}").ok();
      http.post(update + "3", "{\"doc\":{\"level\":\"WARN\"}}").ok(); // a noop
      http.post(update + "4", "{\"script\":{\"source\":\"ctx.op = 'delete'\"}}").ok();
      http.post(update + "9000", "{\"doc\":{\"n\":9000},\"doc_as_upsert\":true}").ok();
      // of a document that is not in a segment yet, and of one that was updated just before
      http.post(update + "1", "{\"doc\":{\"level\":\"ERROR\"}}").ok();
    }
    unchanged("columns", 3);
    sameDocuments("plain", "columns");
    for (String index : new String[] {"plain", "columns"}) {
      http.post("/" + index + "/_forcemerge?max_num_segments=1").ok();
    }
    sameDocuments("plain", "columns");
    unchanged("columns", 3);
  }

  @Test
  void updateByQuery() {
    createBoth(1);
    for (String index : new String[] {"plain", "columns"}) {
      String path = "/" + index + "/_update_by_query?refresh=true&scroll_size=70";
      // in place, without a change
      done(http.post(path, "{\"query\":{\"range\":{\"n\":{\"lt\":200}}}}"), 199);
      done(
          http.post(
              path,
              "{\"query\":{\"term\":{\"level\":\"WARN\"}},"
                  + "\"script\":{\"source\":\"ctx._source.level = 'ERROR'\"}}"),
          DOCUMENTS / 3 + 1);
      done(
          http.post(
              "/" + index + "/_delete_by_query?refresh=true",
              "{\"query\":{\"range\":{\"n\":{\"gte\":390}}}}"),
          10);
    }
    unchanged("columns", 31);
    sameDocuments("plain", "columns");
    for (String index : new String[] {"plain", "columns"}) {
      http.post("/" + index + "/_forcemerge?max_num_segments=1").ok();
    }
    sameDocuments("plain", "columns");
  }

  @Test
  void shrinkSplitAndClone() {
    createBoth(2);
    for (String index : new String[] {"plain", "columns"}) {
      http.put("/" + index + "/_settings", "{\"index.blocks.write\":true}").ok();
    }
    for (String[] resize : new String[][] {{"_shrink", "1"}, {"_split", "4"}, {"_clone", "2"}}) {
      for (String index : new String[] {"plain", "columns"}) {
        http.put(
                "/" + index + "/" + resize[0] + "/" + index + resize[0],
                ("{\"settings\":{\"index.number_of_shards\":%s,"
                        + "\"index.number_of_replicas\":0,\"index.blocks.write\":null}}")
                    .formatted(resize[1]))
            .ok();
      }
      CLUSTER.get().awaitGreen();
      String plain = "plain" + resize[0];
      String columns = "columns" + resize[0];
      sameDocuments(plain, columns);
      for (String index : new String[] {plain, columns}) {
        write(index, 50, 70);
        http.post("/" + index + "/_forcemerge?max_num_segments=1").ok();
      }
      sameDocuments(plain, columns);
      unchanged(columns, 33);
      inColumns(columns, true);
      assertTrue(packed(columns));
    }
  }

  private boolean packed(String index) {
    return http.get("/" + index + "/_settings?flat_settings=true")
        .ok()
        .body()
        .contains("\"index.millrace.packed_ids.enabled\":\"true\"");
  }

  @Test
  void snapshotAndRestoreUnderAnotherName() {
    createBoth(1);
    http.put("/_snapshot/copies", "{\"type\":\"fs\",\"settings\":{\"location\":\"copies\"}}").ok();
    try {
      http.put("/_snapshot/copies/one?wait_for_completion=true", "{\"indices\":\"plain,columns\"}")
          .ok();
      // an incremental one, after a merge
      for (String index : new String[] {"plain", "columns"}) {
        write(index, 60, 90);
        http.post("/" + index + "/_forcemerge?max_num_segments=1").ok();
      }
      JsonAnswer two =
          http.put(
              "/_snapshot/copies/two?wait_for_completion=true", "{\"indices\":\"plain,columns\"}");
      assertEquals("SUCCESS", two.ok().at("/snapshot/state").asText(), two::toString);
      for (String snapshot : new String[] {"one", "two"}) {
        JsonAnswer restored =
            http.post(
                "/_snapshot/copies/" + snapshot + "/_restore?wait_for_completion=true",
                ("{\"indices\":\"plain,columns\",\"rename_pattern\":\"(.+)\","
                        + "\"rename_replacement\":\"%s-$1\"}")
                    .formatted(snapshot));
        assertEquals(0, restored.ok().at("/snapshot/shards/failed").asInt(), restored::toString);
        CLUSTER.get().awaitGreen();
        sameDocuments(snapshot + "-plain", snapshot + "-columns");
        write(snapshot + "-columns", 100, 110);
        write(snapshot + "-plain", 100, 110);
        sameDocuments(snapshot + "-plain", snapshot + "-columns");
        unchanged(snapshot + "-columns", 65);
        inColumns(snapshot + "-columns", true);
        assertTrue(packed(snapshot + "-columns"));
      }
      // over itself, closed
      for (String index : new String[] {"plain", "columns"}) {
        http.delete("/" + index + "/_doc/50").ok();
        http.post("/" + index + "/_close").ok();
      }
      http.post(
              "/_snapshot/copies/two/_restore?wait_for_completion=true",
              "{\"indices\":\"plain,columns\"}")
          .ok();
      CLUSTER.get().awaitGreen();
      unchanged("columns", 50);
      sameDocuments("plain", "columns");
    } finally {
      http.delete("/_snapshot/copies");
    }
  }

  @Test
  void closeAndOpen() {
    createBoth(1);
    for (int round = 0; round < 3; round++) {
      for (String index : new String[] {"plain", "columns"}) {
        // not flushed: what is opened is replayed
        write(index, 100 * round, 100 * round + 40);
        http.delete("/" + index + "/_doc/" + (200 + round)).ok();
        http.post("/" + index + "/_close").ok();
        http.post("/" + index + "/_open").ok();
      }
      CLUSTER.get().awaitGreen();
      sameDocuments("plain", "columns");
      unchanged("columns", 100 * round);
      assertFalse(http.get("/columns/_doc/" + (200 + round)).status() == 200);
    }
    inColumns("columns", true);
  }
}
