package io.millrace.guard.breaker;

import java.util.List;
import java.util.Map;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest.AliasActions;
import org.opensearch.action.admin.indices.datastream.CreateDataStreamAction;
import org.opensearch.action.admin.indices.datastream.DeleteDataStreamAction;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.DataStream;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.index.VersionType;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** What is said of a bulk beforehand is what stock's own bulk then does: random items. */
public class FailingItemsNodeTests extends OpenSearchSingleNodeTestCase {
  private int id;

  /** Before the indices, which the base class removes. */
  @Override
  public void tearDown() throws Exception {
    var streams = new DeleteDataStreamAction.Request(new String[] {"*"});
    client().execute(DeleteDataStreamAction.INSTANCE, streams).get();
    super.tearDown();
  }

  public void testAsManyAsStockAnswersWithAnErrorOfTheirOwn() throws Exception {
    createIndex("open");
    createIndex("second");
    createIndex("closed");
    client().admin().indices().prepareClose("closed").get();
    client()
        .admin()
        .indices()
        .prepareAliases()
        .addAlias("open", "one")
        .addAlias(new String[] {"open", "second"}, "many")
        .addAliasAction(AliasActions.add().index("open").alias("written").writeIndex(true))
        .addAliasAction(AliasActions.add().index("second").alias("written").writeIndex(false))
        .addAlias("closed", "shut")
        .get();
    var template =
        new ComposableIndexTemplate(
            List.of("stream*"),
            null,
            null,
            null,
            null,
            null,
            new ComposableIndexTemplate.DataStreamTemplate(
                new DataStream.TimestampField("@timestamp")));
    client()
        .execute(
            PutComposableIndexTemplateAction.INSTANCE,
            new PutComposableIndexTemplateAction.Request("streams").indexTemplate(template))
        .get();
    client()
        .execute(
            CreateDataStreamAction.INSTANCE, new CreateDataStreamAction.Request("stream-there"))
        .get();

    int failed = 0;
    int written = 0;
    for (int round = 0; round < 12; round++) {
      BulkRequest bulk = new BulkRequest();
      int items = randomIntBetween(1, 40);
      for (int i = 0; i < items; i++) {
        bulk.add(item("round" + round));
      }
      ClusterState before = getInstanceFromNode(ClusterService.class).state();
      int said =
          FailingItems.of(bulk, before, getInstanceFromNode(IndexNameExpressionResolver.class));
      List<DocWriteRequest<?>> asked = List.copyOf(bulk.requests());
      int errors = 0;
      StringBuilder answers = new StringBuilder();
      for (BulkItemResponse item : client().bulk(bulk).actionGet().getItems()) {
        Throwable cause = item.isFailed() ? item.getFailure().getCause() : null;
        errors += cause == null || ofADocument(cause) ? 0 : 1;
        written += cause == null ? 1 : 0;
        answers.append(asked.get(item.getItemId())).append(" -> ").append(cause).append('\n');
      }
      failed += errors;
      assertEquals(answers.toString(), errors, said);
    }
    assertTrue(failed + " failed, " + written + " written", failed > 20 && written > 20);
  }

  /** An error of a shard, which has looked for the document. */
  private static boolean ofADocument(Throwable cause) {
    String name = cause.getClass().getSimpleName();
    return name.equals("DocumentMissingException") || name.equals("VersionConflictEngineException");
  }

  private DocWriteRequest<?> item(String round) {
    String index =
        randomFrom(
            "open",
            "one",
            "many",
            "written",
            "closed",
            "shut",
            "stream-there",
            "stream-" + round,
            "<open>",
            "<missing-{now/d}-" + round + ">",
            "missing-a-" + round,
            "missing-b-" + round);
    String own = "id-" + id++;
    boolean alias = rarely();
    Map<String, Object> source = Map.of("@timestamp", "2026-11-26T00:00:00Z", "n", 1);
    return switch (randomIntBetween(0, 5)) {
      case 0 ->
          new IndexRequest(index)
              .id(own)
              .opType(OpType.CREATE)
              .source(source)
              .setRequireAlias(alias);
      case 1 -> new IndexRequest(index).id(own).source(source).setRequireAlias(alias);
      case 2 -> new UpdateRequest(index, own).doc(source).setRequireAlias(alias);
      case 3 -> new DeleteRequest(index, own).versionType(VersionType.EXTERNAL).version(3);
      default -> new DeleteRequest(index, own);
    };
  }

  private static String randomFrom(String... names) {
    return randomFrom(List.of(names));
  }
}
