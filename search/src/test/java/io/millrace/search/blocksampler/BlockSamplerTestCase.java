package io.millrace.search.blocksampler;

import io.millrace.kernel.FeaturePlugin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.Strings;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.IndexModule;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Documents in a known order, and searches written as JSON. */
public abstract class BlockSamplerTestCase extends OpenSearchSingleNodeTestCase {
  /** Hosts the feature in a test node. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new BlockSamplerFeature()));
    }
  }

  /** Another plugin, which shows every second document of the index {@code hidden}. */
  public static final class Hiding extends Plugin {
    @Override
    public void onIndexModule(IndexModule module) {
      if (module.getIndex().getName().equals("hidden")) {
        module.setReaderWrapper(service -> HalfReader::new);
      }
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class, Hiding.class);
  }

  /**
   * The same documents in the same order at each run, one a second: levels by chance, more ERROR
   * with time, and milliseconds.
   */
  void documents(String index, int count, int segments, Settings settings) {
    client()
        .admin()
        .indices()
        .prepareCreate(index)
        .setSettings(Settings.builder().put("index.refresh_interval", -1).put(settings).build())
        .setMapping(
            "{\"properties\":{\"@timestamp\":{\"type\":\"date\"},"
                + "\"level\":{\"type\":\"keyword\"},\"ms\":{\"type\":\"double\"},"
                + "\"n\":{\"type\":\"long\",\"skip_list\":true}}}")
        .get();
    Random chance = new Random(7);
    for (int segment = 0; segment < segments; segment++) {
      BulkRequestBuilder bulk = client().prepareBulk();
      for (int i = segment * count / segments; i < (segment + 1) * count / segments; i++) {
        String level =
            chance.nextInt(count * 2) < i ? "ERROR" : chance.nextInt(3) == 0 ? "WARN" : "INFO";
        double ms = -20 * Math.log(1 - chance.nextDouble());
        bulk.add(
            client()
                .prepareIndex(index)
                .setId(index + i)
                .setSource(
                    "{\"@timestamp\":"
                        + (1_795_000_000_000L + i * 1000L)
                        + ",\"level\":\""
                        + level
                        + "\",\"ms\":"
                        + ms
                        + (i % 5 == 0 ? "" : ",\"n\":" + (i % 7 == 0 ? -i : i))
                        + "}",
                    XContentType.JSON));
      }
      assertFalse(bulk.get().hasFailures());
      client().admin().indices().prepareRefresh(index).get();
    }
  }

  /** In one segment, so that a seed takes the same blocks at each run. */
  void merged(String index, int count) {
    documents(index, count, 1, Settings.EMPTY);
    client().admin().indices().prepareForceMerge(index).setMaxNumSegments(1).get();
    client().admin().indices().prepareRefresh(index).get();
  }

  SearchResponse search(String index, String body) throws IOException {
    return request(index, body).get();
  }

  /**
   * @param indices names with commas between them
   */
  SearchRequestBuilder request(String indices, String body) throws IOException {
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(
            getInstanceFromNode(NamedXContentRegistry.class),
            DeprecationHandler.IGNORE_DEPRECATIONS,
            body)) {
      return client()
          .prepareSearch(Strings.splitStringByCommaToArray(indices))
          .setSource(SearchSourceBuilder.fromXContent(parser));
    }
  }

  static InternalBlockSampler sampler(SearchResponse response) {
    return response.getAggregations().get("s");
  }

  /** {@code size: 0} with a query and a sampler {@code s} around the aggregations. */
  static String sampled(String query, String parameters, String aggregations) {
    return "{\"size\":0,\"query\":"
        + query
        + ",\"aggs\":{\"s\":{\"block_sampler\":{"
        + parameters
        + "},\"aggs\":{"
        + aggregations
        + "}}}}";
  }

  static String plain(String query, String aggregations) {
    return "{\"size\":0,\"query\":" + query + ",\"aggs\":{" + aggregations + "}}";
  }

  /** Those of the sampler as JSON, without what it says of itself. */
  static List<String> json(Iterable<? extends org.opensearch.search.aggregations.Aggregation> all) {
    List<String> texts = new ArrayList<>();
    for (org.opensearch.search.aggregations.Aggregation each : all) {
      texts.add(each.toString());
    }
    texts.sort(null);
    return texts;
  }
}
