package io.millrace.write.logtext;

import static org.apache.lucene.search.DocIdSetIterator.NO_MORE_DOCS;
import static org.opensearch.index.query.QueryBuilders.existsQuery;
import static org.opensearch.index.query.QueryBuilders.matchPhraseQuery;
import static org.opensearch.index.query.QueryBuilders.matchQuery;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.metric.Metric;
import io.millrace.write.lateinversion.LateInversionFeature;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.index.memory.MemoryIndex;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.index.IndexService;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.mapper.MapperParsingException;
import org.opensearch.index.mapper.ParsedDocument;
import org.opensearch.index.mapper.SourceToParse;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.indices.IndicesService;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** The type's parameters, switch, bounds and neighbours in a node. */
public class LogTextNodeTests extends OpenSearchSingleNodeTestCase {
  /** Hosts the features. */
  public static final class Host extends FeaturePlugin {
    final LogTextFeature logText;

    public Host() {
      this(new LogTextFeature());
    }

    private Host(LogTextFeature logText) {
      super(List.of(new LogAnalyzerFeature(), logText, new LateInversionFeature()));
      this.logText = logText;
    }
  }

  private static final String MESSAGE = "session 17 opened for user root by nova.wsgi.server";

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private void create(String index, String mapping) {
    client().admin().indices().prepareCreate(index).setMapping(mapping).get();
    ensureGreen(index);
  }

  private void put(String index, String id, Object message) {
    client()
        .prepareIndex(index)
        .setId(id)
        .setSource(Map.of("message", message))
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
  }

  private long hits(String index, QueryBuilder query) {
    return client().prepareSearch(index).setQuery(query).get().getHits().getTotalHits().value();
  }

  private double figure(String metric) {
    Host host =
        (Host) getInstanceFromNode(PluginsService.class).filterPlugins(FeaturePlugin.class).get(0);
    Metric found =
        host.logText.metrics().stream()
            .filter(m -> m.name().equals(metric))
            .findFirst()
            .orElseThrow();
    return found.samples().get().get(0).value();
  }

  /** Documents of the index that have a value without template. */
  private long free(String index) throws IOException {
    IndexService service =
        getInstanceFromNode(IndicesService.class).indexServiceSafe(resolveIndex(index));
    try (Engine.Searcher searcher = service.getShard(0).acquireSearcher("test")) {
      int free = 0;
      for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
        Terms stored = LogTextReaders.stored(leaf.reader(), "message");
        TermsEnum at = stored == null ? TermsEnum.EMPTY : stored.iterator();
        if (at.seekExact(Reserved.free())) {
          PostingsEnum found = at.postings(null, PostingsEnum.NONE);
          for (int doc = found.nextDoc(); doc != NO_MORE_DOCS; doc = found.nextDoc()) {
            free +=
                leaf.reader().getLiveDocs() == null || leaf.reader().getLiveDocs().get(doc) ? 1 : 0;
          }
        }
      }
      return free;
    }
  }

  private void set(String key, Object value) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(
            value == null
                ? Settings.builder().putNull(key)
                : Settings.builder().put(key, value.toString()))
        .get();
  }

  public void testFixedParametersAreRefusedByName() {
    for (String parameter :
        List.of(
            "\"analyzer\":\"standard\"",
            "\"norms\":true",
            "\"index\":false",
            "\"fielddata\":true")) {
      MapperParsingException refused =
          expectThrows(
              MapperParsingException.class,
              () ->
                  create(
                      "bad",
                      "{\"properties\":{\"message\":{\"type\":\"log_text\"," + parameter + "}}}"));
      assertTrue(
          refused.getMessage(),
          refused.getMessage().contains("remove the parameter, or use the type [text]"));
    }
  }

  public void testDerivedSourceIsRefused() {
    Exception refused =
        expectThrows(
            Exception.class,
            () ->
                client()
                    .admin()
                    .indices()
                    .prepareCreate("derived")
                    .setSettings(Settings.builder().put("index.derived_source.enabled", true))
                    .setMapping(LogTextEqualsMatchOnlyTextNodeTests.OURS)
                    .get());
    assertTrue(String.valueOf(refused.getMessage()), refused.toString().contains("log_text"));
  }

  public void testMappingComesBackAndMergesKeepingItsSketch() throws IOException {
    create(
        "logs",
        "{\"properties\":{\"raw\":{\"type\":\"keyword\",\"copy_to\":\"message\"},"
            + "\"message\":{\"type\":\"log_text\",\"fields\":{\"k\":{\"type\":\"keyword\"}}}}}");
    for (int i = 1; i < TemplateSketch.SIGHTS; i++) {
      put("logs", "1", MESSAGE);
    }
    assertEquals(1, free("logs"));
    client().admin().indices().preparePutMapping("logs").setSource("other", "type=log_text").get();
    put("logs", "2", MESSAGE);
    assertEquals("the template was known", 1, free("logs"));
    client()
        .prepareIndex("logs")
        .setId("3")
        .setSource(Map.of("raw", "copied 18 words"))
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    assertEquals(1, hits("logs", matchQuery("message", "copied")));
    assertEquals(2, hits("logs", matchQuery("message.k", MESSAGE)));
    assertEquals(3, hits("logs", existsQuery("message")));
    String mapping =
        client()
            .admin()
            .indices()
            .prepareGetMappings("logs")
            .get()
            .mappings()
            .get("logs")
            .source()
            .string();
    assertTrue(mapping, mapping.contains("\"message\":{\"type\":\"log_text\",\"fields\""));
  }

  /** As the percolator and term vectors of artificial documents do it. */
  public void testDocumentsParsedWithoutIndexingHaveAllTokensAndCountForNoTemplate()
      throws IOException {
    create("logs", LogTextEqualsMatchOnlyTextNodeTests.OURS);
    IndexService logs =
        getInstanceFromNode(IndicesService.class).indexServiceSafe(resolveIndex("logs"));
    for (int i = 0; i < 3 * TemplateSketch.SIGHTS; i++) {
      ParsedDocument parsed =
          logs.mapperService()
              .documentMapper()
              .parse(
                  new SourceToParse(
                      "logs",
                      "_temp_id",
                      new BytesArray("{\"message\":\"" + MESSAGE + "\"}"),
                      XContentType.JSON));
      IndexSearcher memory =
          MemoryIndex.fromDocument(parsed.rootDoc(), logs.mapperService().indexAnalyzer())
              .createSearcher();
      for (String token : List.of("opened", "17", "wsgi", "nova.wsgi.server")) {
        TermQuery extracted = new TermQuery(new Term("message", token));
        assertEquals(token + " of document " + i, 1, memory.count(extracted));
        assertEquals(
            token,
            1,
            memory.count(new TokenTermQuery(extracted.getTerm(), new TemplateCache(1 << 20))));
      }
    }
    for (int i = 0; i < TemplateSketch.SIGHTS; i++) {
      put("logs", "" + i, MESSAGE);
    }
    assertEquals("what is indexed counts, and alone", TemplateSketch.SIGHTS - 1, free("logs"));
    assertEquals(TemplateSketch.SIGHTS, hits("logs", matchQuery("message", "wsgi")));
  }

  public void testOffWritesNoTemplatesAndFindsTheSame() throws IOException {
    create("logs", LogTextEqualsMatchOnlyTextNodeTests.OURS);
    for (int i = 0; i < TemplateSketch.SIGHTS; i++) {
      put("logs", "" + (1 + i % 2), MESSAGE);
    }
    assertTrue(figure("templated_values") > 0);
    long before = free("logs");
    assertEquals(1, before);
    set("millrace.write.log_text.enabled", false);
    try {
      put("logs", "3", MESSAGE);
      put("logs", "4", MESSAGE);
    } finally {
      set("millrace.write.log_text.enabled", null);
    }
    assertEquals(before + 2, free("logs"));
    for (String text : List.of("nova.wsgi.server", "wsgi", "17", "session 17 opened")) {
      assertEquals(text, 4, hits("logs", matchQuery("message", text)));
      assertEquals(text, 4, hits("logs", matchPhraseQuery("message", text)));
    }
  }

  public void testCacheStaysWithinItsBoundAndAnswersStay() {
    create("logs", LogTextEqualsMatchOnlyTextNodeTests.OURS);
    for (int i = 0; i < 6; i++) {
      put("logs", "" + i, MESSAGE);
    }
    assertEquals(6, hits("logs", matchPhraseQuery("message", "opened for user")));
    double held = figure("cache");
    assertTrue("held " + held, held > 0);
    set("millrace.write.log_text.cache_size", "1b");
    try {
      assertEquals(0, figure("cache"), 0);
      double reads = figure("dictionary_reads");
      assertEquals(6, hits("logs", matchPhraseQuery("message", "opened for user")));
      assertEquals(0, figure("cache"), 0);
      assertTrue(figure("dictionary_reads") > reads);
    } finally {
      set("millrace.write.log_text.cache_size", null);
    }
  }

  public void testClosedSegmentsLeaveTheCache() throws Exception {
    create("logs", LogTextEqualsMatchOnlyTextNodeTests.OURS);
    for (int i = 0; i < 4; i++) {
      put("logs", "" + i, MESSAGE);
    }
    assertEquals(4, hits("logs", matchQuery("message", "nova")));
    assertTrue(figure("cache") > 0);
    client().admin().indices().prepareDelete("logs").get();
    assertBusy(() -> assertEquals(0, figure("cache"), 0), 120, TimeUnit.SECONDS);
  }

  public void testValuesOfEverySizeAndKind() {
    create("logs", LogTextEqualsMatchOnlyTextNodeTests.OURS);
    put("logs", "1", "");
    put("logs", "2", "x".repeat(100_000) + " tail");
    put("logs", "3", "many words ".repeat(20_000) + "end7");
    put("logs", "4", List.of(MESSAGE, MESSAGE, "third 99"));
    put("logs", "5", "\u0001\u0002\u0003 odd");
    assertEquals(1, hits("logs", matchQuery("message", "tail")));
    assertEquals(1, hits("logs", matchPhraseQuery("message", "words end7")));
    assertEquals(1, hits("logs", matchPhraseQuery("message", "third 99")));
    assertEquals("not across values", 0, hits("logs", matchPhraseQuery("message", "server third")));
    assertEquals(1, hits("logs", matchQuery("message", "odd")));
    assertEquals(5, hits("logs", existsQuery("message")));
  }

  public void testFieldCapabilitiesNameTheKin() {
    create("logs", LogTextEqualsMatchOnlyTextNodeTests.OURS);
    assertEquals(
        java.util.Set.of("match_only_text"),
        client().prepareFieldCaps("logs").setFields("message").get().getField("message").keySet());
  }

  public void testDefaults() {
    LogTextFeature feature = new LogTextFeature();
    assertTrue(feature.enabled().on());
    assertEquals("millrace.write.log_text.cache_size", feature.knobs().get(0).setting().getKey());
    ByteSizeValue size = (ByteSizeValue) feature.knobs().get(0).setting().get(Settings.EMPTY);
    assertEquals(
        Runtime.getRuntime().maxMemory() * 0.02,
        size.getBytes(),
        Runtime.getRuntime().maxMemory() * 0.001);
  }
}
