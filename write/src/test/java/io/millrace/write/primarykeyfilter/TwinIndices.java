package io.millrace.write.primarykeyfilter;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.VersionType;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.transport.client.Client;

/**
 * Sends the same operations to an index with the filter and to one without, and fails at the first
 * answer that differs: results, versions, sequence numbers, errors, documents.
 */
final class TwinIndices {
  static final List<String> NAMES = List.of("stock", "filtered");

  /** What an operation answered: of it the next ones take their sequence numbers. */
  private record Answer(String text, long seqNo, long term) {}

  private final Random random;
  private final int ids;
  private final Map<String, Answer> last = new HashMap<>();
  private int counter;

  TwinIndices(long seed, int ids) {
    this.random = new Random(seed);
    this.ids = ids;
  }

  static void create(Client client, int replicas, String gcDeletes) {
    for (String index : NAMES) {
      client
          .admin()
          .indices()
          .prepareCreate(index)
          .setSettings(
              Settings.builder()
                  .put("index.number_of_shards", 1)
                  .put("index.number_of_replicas", replicas)
                  .put("index.refresh_interval", "-1")
                  .put("index.unassigned.node_left.delayed_timeout", "0")
                  .put("index.gc_deletes", gcDeletes)
                  .put("index.millrace.primary_key_filter.enabled", index.equals("filtered")))
          .setMapping("n", "type=long")
          .get();
    }
  }

  private String id() {
    // mostly few ids that meet again and again, sometimes one that is new for certain
    return random.nextInt(4) == 0 ? "new" + counter++ : "id" + random.nextInt(ids);
  }

  /** The same random operation for both indices. */
  private DocWriteRequest<?> operation(String id, int kind, int value, Answer known, String index) {
    Map<String, Object> source = Map.of("n", value);
    return switch (kind) {
      case 0, 1, 2, 3 -> new IndexRequest(index).id(id).source(source);
      case 4 -> new IndexRequest(index).id(id).source(source).create(true);
      case 5 -> new DeleteRequest(index, id);
      case 6 -> new UpdateRequest(index, id).doc(source).docAsUpsert(value % 2 == 0);
      case 7 ->
          new IndexRequest(index)
              .id(id)
              .source(source)
              .setIfSeqNo(Math.max(0, known.seqNo - value % 3 / 2))
              .setIfPrimaryTerm(Math.max(1, known.term));
      case 8 ->
          new IndexRequest(index)
              .id(id)
              .source(source)
              .versionType(value % 2 == 0 ? VersionType.EXTERNAL : VersionType.EXTERNAL_GTE)
              .version(1 + value % 5);
      case 9 ->
          new DeleteRequest(index, id)
              .setIfSeqNo(Math.max(0, known.seqNo))
              .setIfPrimaryTerm(Math.max(1, known.term));
      default -> new IndexRequest(index).source(Map.of("n", -1)); // an id of OpenSearch's making
    };
  }

  /** One bulk of one to 20 operations, the same to both; ids may meet within the bulk. */
  void bulk(Client client) {
    List<Object[]> plan = new ArrayList<>();
    int size = 1 + random.nextInt(20);
    for (int i = 0; i < size; i++) {
      plan.add(new Object[] {id(), random.nextInt(11), random.nextInt(1_000)});
    }
    List<List<Answer>> answers = new ArrayList<>();
    for (String index : NAMES) {
      BulkRequest bulk = new BulkRequest();
      for (Object[] one : plan) {
        Answer known = last.getOrDefault((String) one[0], new Answer("", 0, 1));
        bulk.add(operation((String) one[0], (int) one[1], (int) one[2], known, index));
      }
      List<Answer> said = new ArrayList<>();
      for (BulkItemResponse item : client.bulk(bulk).actionGet()) {
        said.add(answer(index, item));
      }
      answers.add(said);
    }
    for (int i = 0; i < plan.size(); i++) {
      Answer stock = answers.get(0).get(i);
      assertEquals("operation " + plan.get(i)[1], stock, answers.get(1).get(i));
      if (stock.seqNo >= 0) {
        last.put((String) plan.get(i)[0], stock);
      }
    }
  }

  private static Answer answer(String index, BulkItemResponse item) {
    if (item.isFailed()) {
      Throwable cause = ExceptionsHelper.unwrapCause(item.getFailure().getCause());
      return new Answer(
          item.getFailure().getStatus() + " " + cause.getMessage().replace(index, "INDEX"), -1, -1);
    }
    DocWriteResponse response = item.getResponse();
    return new Answer(
        response.getResult() + " v" + response.getVersion(),
        response.getSeqNo(),
        response.getPrimaryTerm());
  }

  /** A realtime get of one id from both. */
  void get(Client client) {
    String id = id();
    List<String> said = new ArrayList<>();
    for (String index : NAMES) {
      GetResponse got = client.prepareGet(index, id).get();
      said.add(
          got.isExists()
              ? got.getVersion() + " " + got.getSeqNo() + " " + got.getSourceAsString()
              : "none");
    }
    assertEquals("get " + id, said.get(0), said.get(1));
  }

  /** Everything that a search finds, in both; no refresh. */
  void compare(Client client, String preference) {
    List<List<String>> found = new ArrayList<>();
    for (String index : NAMES) {
      List<String> hits = new ArrayList<>();
      for (SearchHit hit :
          client
              .prepareSearch(index)
              .setPreference(preference)
              .setQuery(QueryBuilders.matchAllQuery())
              .setSize(10_000)
              .seqNoAndPrimaryTerm(true)
              .setVersion(true)
              .addSort("_seq_no", SortOrder.ASC)
              .get()
              .getHits()) {
        assertNotNull(hit.getSourceAsString());
        boolean generated = hit.getSourceAsString().contains("-1");
        hits.add(
            (generated ? "generated" : hit.getId())
                + " v"
                + hit.getVersion()
                + " "
                + hit.getSeqNo()
                + " "
                + hit.getSourceAsString());
      }
      found.add(hits);
    }
    assertEquals(found.get(0), found.get(1));
  }

  /** What is not a document, done to both indices. */
  void refresh(Client client) {
    client.admin().indices().prepareRefresh("stock", "filtered").get();
  }

  void flush(Client client) {
    client.admin().indices().prepareFlush("stock", "filtered").setForce(true).get();
  }

  void merge(Client client) {
    client.admin().indices().prepareForceMerge("stock", "filtered").setMaxNumSegments(1).get();
  }
}
