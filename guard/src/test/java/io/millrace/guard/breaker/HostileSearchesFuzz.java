package io.millrace.guard.breaker;

import com.carrotsearch.randomizedtesting.annotations.TimeoutSuite;
import io.millrace.guard.FeatureNodeTestCase;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.tests.util.TimeUnits;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.LoggingDeprecationHandler;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.plugins.Plugin;
import org.opensearch.script.MockScriptPlugin;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * Random searches with extreme parameters: the node survives them, holds nothing afterwards, and no
 * check point of ours becomes an error 500. What stock answers with 500 by itself is stock's.
 *
 * <p>A long run: {@code mvn -pl guard -am verify -Dtest=HostileSearchesFuzz
 * -Dsurefire.failIfNoSpecifiedTests=false -Dmillrace.fuzz.searches=100000}; another sequence with
 * {@code -Dmillrace.fuzz.seed=N}.
 */
@TimeoutSuite(millis = TimeUnits.HOUR)
public class HostileSearchesFuzz extends FeatureNodeTestCase {
  private static final int SEARCHES = Integer.getInteger("millrace.fuzz.searches", 250);
  private static final long SEED = Long.getLong("millrace.fuzz.seed", 20261122L);
  private static final int DOCUMENTS = 600;

  /** Hosts the feature; the node constructs it, the test finds it again. */
  public static final class Host extends FeaturePlugin {
    static volatile RequestBreakerFeature feature;

    public Host() {
      super(List.of(feature = new RequestBreakerFeature()));
    }
  }

  /** A script that takes its time. */
  public static final class Slow extends MockScriptPlugin {
    @Override
    protected Map<String, Function<Map<String, Object>, Object>> pluginScripts() {
      return Map.of(
          "slow",
          vars -> {
            Thread.onSpinWait();
            return 1;
          });
    }
  }

  @Override
  protected Feature feature() {
    return Host.feature;
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class, Slow.class);
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    createIndex(
        "f",
        Settings.builder().put("index.number_of_shards", 1).build(),
        "_doc",
        "at",
        "type=date",
        "host",
        "type=keyword",
        "id",
        "type=keyword",
        "n",
        "type=long",
        "t",
        "type=text");
    BulkRequest bulk = new BulkRequest().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    for (int i = 0; i < DOCUMENTS; i++) {
      bulk.add(
          new IndexRequest("f")
              .source(
                  "at",
                  i * 43_200L,
                  "host",
                  "h" + i % 3,
                  "id",
                  "i" + i,
                  "n",
                  i,
                  "t",
                  "words " + i));
    }
    assertFalse(client().bulk(bulk).actionGet().hasFailures());
    set("limit", "16mb");
  }

  public void testNoCheckPointBecomesAnErrorAndNothingIsHeldAfterwards() throws Exception {
    int answered = 0;
    for (long seed = SEED; seed < SEED + SEARCHES; seed++) {
      Map<String, Object> body = HostileSearch.of(seed);
      Throwable ours = ours(body);
      if (ours != null) {
        Map<String, Object> smallest = HostileSearch.shrink(body, each -> ours(each) != null);
        throw new AssertionError(
            "search "
                + seed
                + " (-Dmillrace.fuzz.seed="
                + seed
                + " -Dmillrace.fuzz.searches=1), cut down to "
                + json(smallest),
            ours);
      }
      answered++;
    }
    assertEquals(SEARCHES, answered);
    assertEquals(10, client().prepareSearch("f").get().getHits().getHits().length);
    assertBusy(() -> assertEquals(0, metric("searches"), 0));
  }

  /** Why the answer to a search is a fault of ours; {@code null} when it is none. */
  private @Nullable Throwable ours(Map<String, Object> body) {
    SearchSourceBuilder source;
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(
            getInstanceFromNode(NamedXContentRegistry.class),
            LoggingDeprecationHandler.INSTANCE,
            json(body))) {
      source = SearchSourceBuilder.fromXContent(parser);
    } catch (IOException | RuntimeException invalid) {
      return null; // stock reads no such search
    }
    SearchRequest request = new SearchRequest("f").source(source);
    try {
      SearchResponse answer = client().search(request).actionGet();
      return Arrays.stream(answer.getShardFailures())
          .map(ShardSearchFailure::getCause)
          .filter(HostileSearchesFuzz::fromUs)
          .findFirst()
          .orElse(null);
    } catch (RuntimeException e) {
      return fromUs(e) ? e : null;
    }
  }

  /**
   * An error that no client can act on, thrown by our code: the deepest cause was made in one of
   * our classes and has a status of 500.
   */
  private static boolean fromUs(Throwable failure) {
    if (ExceptionsHelper.status(failure) != RestStatus.INTERNAL_SERVER_ERROR) {
      return false;
    }
    Throwable cause = ExceptionsHelper.unwrapCause(failure);
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return Arrays.stream(cause.getStackTrace())
        .map(StackTraceElement::getClassName)
        .filter(name -> !name.startsWith("java."))
        .limit(2)
        .anyMatch(name -> name.startsWith("io.millrace."));
  }

  private static String json(Map<String, Object> body) {
    try (XContentBuilder builder = MediaTypeRegistry.JSON.contentBuilder().map(body)) {
      return builder.toString();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
