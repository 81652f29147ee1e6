package io.millrace.write.logtext;

import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.index.query.QueryBuilders.termQuery;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.write.lateinversion.LateInversionFeature;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.bucket.terms.SignificantTerms;
import org.opensearch.search.aggregations.bucket.terms.Terms;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Messages are counted, sorted and filtered by the id of their template, on every shard alike. */
public class LogTemplateNodeTests extends OpenSearchSingleNodeTestCase {
  /** Hosts the features. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new LogAnalyzerFeature(), new LogTextFeature(), new LateInversionFeature()));
    }
  }

  private static final String ID = "message.template_id";

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private void create(String index, int shards) {
    client()
        .admin()
        .indices()
        .prepareCreate(index)
        .setSettings(Settings.builder().put("index.number_of_shards", shards))
        .setMapping(
            "{\"properties\":{\"message\":{\"type\":\"log_text\",\"fields\":"
                + "{\"template_id\":{\"type\":\"log_template\",\"meta\":{\"unit\":\"ms\"}}}}}}")
        .get();
  }

  /** Three templates with 30, 20 and 10 messages. */
  private void fill(String index) {
    for (int i = 0; i < 30; i++) {
      put(index, "user " + i + " logged in from host-" + i);
      if (i < 20) {
        put(index, "request took " + 7 * i + " ms");
      }
      if (i < 10) {
        put(index, "disk sda" + i + " is full");
      }
    }
    client().admin().indices().prepareRefresh(index).get();
  }

  private void put(String index, Object message) {
    client().prepareIndex(index).setSource(Map.of("message", message)).get();
  }

  private Map<String, Long> templates(String index) {
    Terms terms =
        client()
            .prepareSearch(index)
            .setSize(0)
            .addAggregation(AggregationBuilders.terms("by").field(ID))
            .get()
            .getAggregations()
            .get("by");
    Map<String, Long> out = new TreeMap<>();
    terms.getBuckets().forEach(bucket -> out.put(bucket.getKeyAsString(), bucket.getDocCount()));
    return out;
  }

  public void testAggregationsCountMessagesByTemplateOnAllShards() {
    create("one", 1);
    create("three", 3);
    fill("one");
    fill("three");
    Map<String, Long> expected = templates("one");
    assertEquals(List.of(10L, 20L, 30L), expected.values().stream().sorted().toList());
    assertEquals(expected, templates("three"));
    client().admin().indices().prepareForceMerge("one", "three").setMaxNumSegments(1).get();
    client().admin().indices().prepareRefresh("one", "three").get();
    assertEquals(expected, templates("one"));
    assertEquals(expected, templates("three"));
    for (Map.Entry<String, Long> template : expected.entrySet()) {
      SearchResponse found =
          client()
              .prepareSearch("three")
              .setQuery(termQuery(ID, template.getKey()))
              .addFetchField(ID)
              .addDocValueField(ID)
              .get();
      assertEquals((long) template.getValue(), found.getHits().getTotalHits().value());
      for (SearchHit hit : found.getHits()) {
        assertEquals(template.getKey(), hit.field(ID).getValue());
      }
    }
  }

  /** The id is kept in indices: another one would split what old and new messages count to. */
  public void testIdOfATemplateIsFixed() {
    TemplateId templates = new TemplateId();
    String id = templates.of("user 7 logged in from host-3");
    assertEquals(id, templates.of("USER 1234 logged in from host_99!"));
    assertEquals("3221f9c91a598b35", id);
    assertNotEquals(id, templates.of("user x logged in from host-3"));
    assertNull(templates.of(""));
    assertNull(templates.of(" ... "));
    assertNull("templates are bounded", templates.of("word ".repeat(2_000)));
    assertNotNull(templates.of("a " + "7".repeat(100_000)));
  }

  public void testSortsAndFindsWhatIsSignificant() {
    create("logs", 1);
    fill("logs");
    List<String> sorted =
        Arrays.stream(
                client()
                    .prepareSearch("logs")
                    .setSize(60)
                    .addSort(ID, org.opensearch.search.sort.SortOrder.ASC)
                    .get()
                    .getHits()
                    .getHits())
            .map(hit -> hit.getSortValues()[0].toString())
            .toList();
    assertEquals(60, sorted.size());
    assertEquals(sorted.stream().sorted().toList(), sorted);
    SignificantTerms significant =
        client()
            .prepareSearch("logs")
            .setSize(0)
            .setQuery(matchQuery("message", "full"))
            .addAggregation(AggregationBuilders.significantTerms("by").field(ID))
            .get()
            .getAggregations()
            .get("by");
    assertEquals(1, significant.getBuckets().size());
    assertEquals(10, significant.getBuckets().get(0).getSubsetDf());
    assertEquals(10, significant.getBuckets().get(0).getSupersetDf());
  }

  public void testValuesWithoutTemplateAndListsAreTaken() {
    create("logs", 1);
    put("logs", "");
    put("logs", List.of("disk 1 is full", "disk 2 is full", "disk is full"));
    put("logs", 42);
    client()
        .prepareIndex("logs")
        .setSource("{\"message\":null}", org.opensearch.common.xcontent.XContentType.JSON)
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    assertEquals(List.of(1L, 1L, 1L), templates("logs").values().stream().toList());
  }

  public void testCapabilitiesSayKeywordAndTheMappingComesBack() {
    create("logs", 1);
    var capabilities =
        client().prepareFieldCaps("logs").setFields(ID).get().getField(ID).get("keyword");
    assertTrue(capabilities.isAggregatable());
    assertTrue(capabilities.isSearchable());
    String mapping =
        client()
            .admin()
            .indices()
            .prepareGetMappings("logs")
            .get()
            .mappings()
            .get("logs")
            .source()
            .toString();
    assertTrue(mapping, mapping.contains("\"template_id\":{\"type\":\"log_template\""));
    Exception refused =
        expectThrows(
            org.opensearch.index.mapper.MapperParsingException.class,
            () ->
                client()
                    .admin()
                    .indices()
                    .preparePutMapping("logs")
                    .setSource(
                        "{\"properties\":{\"other\":{\"type\":\"log_template\",\"ignore_above\":1}}}",
                        org.opensearch.common.xcontent.XContentType.JSON)
                    .get());
    assertTrue(refused.getMessage(), refused.getMessage().contains("ignore_above"));
  }
}
