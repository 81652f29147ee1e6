package io.millrace.write.fastengine;

import com.carrotsearch.randomizedtesting.annotations.TimeoutSuite;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.write.logtext.LogTextFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.tests.util.TimeUnits;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.MapperParsingException;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.mapper.MapperServiceTestCase;
import org.opensearch.index.mapper.ParsedDocument;
import org.opensearch.index.mapper.SourceToParse;
import org.opensearch.plugins.Plugin;

/**
 * Random mappings and random, also broken, documents: whatever the fast path takes, stock takes too
 * and makes the same Lucene document of it, without a mapping update. What the fast path declines
 * stock answers itself, so errors are stock's by construction.
 *
 * <p>A long run: {@code mvn -pl write -am verify -Dtest=DocumentFuzz
 * -Dsurefire.failIfNoSpecifiedTests=false -Dmillrace.fuzz.documents=1000000}; another sequence with
 * {@code -Dmillrace.fuzz.seed=N}.
 */
@TimeoutSuite(millis = TimeUnits.HOUR)
public class DocumentFuzz extends MapperServiceTestCase {
  private static final int DOCUMENTS = Integer.getInteger("millrace.fuzz.documents", 120_000);
  private static final long SEED = Long.getLong("millrace.fuzz.seed", 20261121L);
  private static final int DOCUMENTS_PER_MAPPING = 200;

  private final FastEngineFeature feature = new FastEngineFeature();
  private final Plugin logText = new FeaturePlugin(List.of(new LogTextFeature())) {};

  @Override
  protected Collection<? extends Plugin> getPlugins() {
    return List.of(logText);
  }

  public void testTakesNothingThatStockSeesDifferently() throws IOException {
    Random random = new Random(SEED);
    int done = 0;
    int mappings = 0;
    Set<String> unexpected = new TreeSet<>();
    while (done < DOCUMENTS) {
      RandomMapping mapping = new RandomMapping(random);
      MapperService service;
      String rendered;
      try (XContentBuilder builder =
          XContentFactory.jsonBuilder().map(Map.of("_doc", mapping.mapping))) {
        rendered = builder.toString();
        service = createMapperService(builder);
      } catch (IllegalArgumentException | MapperParsingException e) {
        // parameters that do not go together: stock refuses the mapping
        continue;
      }
      mappings++;
      DocumentMapper mapper = service.documentMapper();
      FastParser parser = feature.parser(service.getIndexSettings());
      long declined = feature.counters().fallbacks(Fallback.MAPPING);
      RandomDocuments documents = new RandomDocuments(random, mapping.leaves, 70);
      for (int i = 0; i < DOCUMENTS_PER_MAPPING; i++, done++) {
        byte[] source = documents.next();
        // a slice of a larger buffer, as bulk requests are
        byte[] buffer = new byte[source.length + 20];
        java.util.Arrays.fill(buffer, (byte) '"');
        System.arraycopy(source, 0, buffer, 10, source.length);
        compare(
            rendered,
            mapper,
            parser,
            new SourceToParse(
                "index",
                "id" + i,
                new BytesArray(buffer, 10, source.length),
                XContentType.JSON,
                random.nextInt(4) == 0 ? "route" : null));
      }
      if (feature.counters().fallbacks(Fallback.MAPPING) > declined
          && !parser.remark().startsWith("the source for recoveries is filtered")
          // a data stream whose timestamp itself is not covered
          && !parser.remark().contains("single-valued timestamp")) {
        unexpected.add(parser.remark());
      }
    }
    Map<Fallback, Long> fallbacks = new EnumMap<>(Fallback.class);
    for (Fallback reason : Fallback.values()) {
      fallbacks.put(reason, feature.counters().fallbacks(reason));
    }
    logger.info(
        "{} documents in {} mappings: {} fast, left to stock {}",
        done,
        mappings,
        feature.counters().documents(),
        fallbacks);
    assertEquals("mappings that should have been covered", Set.of(), unexpected);
    assertTrue(
        "the fast path took too few documents for this test to mean something: " + fallbacks,
        feature.counters().documents() > done / 5);
  }

  public void testSkipsScalarsUnderUnmappedNamesWhereStockIgnoresThem() throws IOException {
    String mapping =
        "{\"_doc\":{\"dynamic\":\"false\",\"properties\":{\"a\":{\"type\":\"keyword\"},"
            + "\"o\":{\"dynamic\":\"true\",\"properties\":{\"b\":{\"type\":\"long\"}}}}}}";
    MapperService service = createMapperService("_doc", mapping);
    FastParser parser = feature.parser(service.getIndexSettings());
    String[] taken = {
      "{\"x\":1,\"a\":\"v\",\"y\":\"text\",\"z\":null,\"t\":true,\"f\":-1.5e3,\"o\":{\"b\":1}}",
      "{\"x\":\"a \\\"quote\"}",
    };
    String[] left = {
      "{\"x\":1,\"x\":2}", "{\"x\":{\"y\":1}}", "{\"x\":[1]}", "{\"x.y\":1}", "{\"_x\":1}",
      "{\"_id\":1}", "{\"\":1}", "{\"x\":01}", "{\"x\":1", "{\"o\":{\"new\":1}}"
    };
    for (String document : taken) {
      compare(mapping, service.documentMapper(), parser, source(document));
    }
    assertEquals(taken.length, feature.counters().documents());
    for (String document : left) {
      compare(mapping, service.documentMapper(), parser, source(document));
    }
    assertEquals(taken.length, feature.counters().documents());
    assertEquals(left.length, feature.counters().fallbacks());
  }

  /** Stock makes nothing of a sample above the limit; shorter values must still be indexed. */
  public void testKeywordTooShortForTheSampleOfItsSibling() throws IOException {
    for (String sibling : List.of("date", "ip", "float", "boolean", "long")) {
      for (int limit : new int[] {1, 2, 3, 8, 23, 24, 30}) {
        String mapping =
            "{\"_doc\":{\"properties\":{\"b\":{\"type\":\"long\"},"
                + "\"a\":{\"type\":\"keyword\",\"fields\":{\"short\":{\"type\":\"keyword\",\"ignore_above\":"
                + limit
                + "},\"other\":{\"type\":\""
                + sibling
                + "\"}}}}}}";
        MapperService service = createMapperService("_doc", mapping);
        FastParser parser = feature.parser(service.getIndexSettings());
        long taken = feature.counters().documents();
        for (String value : List.of("1", "-1", "true", "\"::1\"", "\"2020-01-01\"", "1.5")) {
          SourceToParse source = source("{\"a\":" + value + "}");
          if (parser.parse(service.documentMapper(), source) != null) {
            compare(mapping, service.documentMapper(), parser, source);
          }
        }
        compare(mapping, service.documentMapper(), parser, source("{\"b\":1}"));
        assertTrue("the other fields stay covered", feature.counters().documents() > taken);
      }
    }
  }

  private void compare(
      String mapping, DocumentMapper mapper, FastParser parser, SourceToParse source) {
    ParsedDocument fast = parser.parse(mapper, source);
    if (fast == null) {
      return;
    }
    String document = new String(BytesReference.toBytes(source.source()), StandardCharsets.UTF_8);
    String where = "mapping " + mapping + "\ndocument " + document;
    ParsedDocument stock;
    try {
      stock = mapper.parse(source);
    } catch (MapperParsingException e) {
      throw new AssertionError("stock refuses what the fast path took\n" + where, e);
    }
    assertEquals(where, shape(stock), shape(fast));
    assertEquals(where, 1, stock.docs().size());
    assertNull(where, stock.dynamicMappingsUpdate());
    assertEquals(where, stock.id(), fast.id());
    assertEquals(where, stock.routing(), fast.routing());
    assertSame(where, stock.source(), fast.source());
    assertSame(where, stock.getMediaType(), fast.getMediaType());
  }

  private static Map<String, List<String>> shape(ParsedDocument document) {
    Map<String, List<String>> shape = DocumentShape.of(document.rootDoc());
    for (IndexableField field : document.rootDoc()) {
      String said = field.toString();
      if (said.startsWith("log_text")) {
        // which values may be written by a template is no facet of Lucene's
        shape.computeIfAbsent(field.name() + "/log_text", key -> new ArrayList<>()).add(said);
      }
    }
    return shape;
  }
}
