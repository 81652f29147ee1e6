package io.millrace.plugin.rest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.lucene.search.Query;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.identity.PluginSubject;
import org.opensearch.identity.Subject;
import org.opensearch.identity.noop.NoopIdentityPlugin;
import org.opensearch.identity.tokens.TokenManager;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.codec.CodecService;
import org.opensearch.index.codec.CodecServiceFactory;
import org.opensearch.index.engine.EngineFactory;
import org.opensearch.index.engine.InternalEngine;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.EnginePlugin;
import org.opensearch.plugins.IdentityPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.plugins.SecureAuxTransportSettingsProvider;
import org.opensearch.plugins.SecureHttpTransportSettingsProvider;
import org.opensearch.plugins.SecureSettingsFactory;
import org.opensearch.plugins.SecureTransportSettingsProvider;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestHandler;
import org.opensearch.script.ScriptService;
import org.opensearch.search.internal.ContextIndexSearcher;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.query.QueryCollectorContext;
import org.opensearch.search.query.QueryPhase;
import org.opensearch.search.query.QueryPhaseSearcher;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * Beside a plugin that takes every slot of which OpenSearch has one: the node starts, the other
 * plugin's objects are the ones in use, and every kind of request answers.
 */
public class ForeignSlotsNodeTests extends RestNodeTestCase {
  private static final Map<String, AtomicInteger> USED = new ConcurrentHashMap<>();

  private static void used(String slot) {
    USED.computeIfAbsent(slot, ignored -> new AtomicInteger()).incrementAndGet();
  }

  /** Takes them all, and does in each what stock does. */
  public static final class TakesEverySlot extends Plugin
      implements ActionPlugin, EnginePlugin, IdentityPlugin, SearchPlugin {
    private NoopIdentityPlugin identity = new NoopIdentityPlugin(null);

    @Override
    public Collection<Object> createComponents(
        Client client,
        ClusterService cluster,
        ThreadPool threads,
        ResourceWatcherService watcher,
        ScriptService scripts,
        NamedXContentRegistry contents,
        Environment environment,
        NodeEnvironment node,
        NamedWriteableRegistry writeables,
        IndexNameExpressionResolver names,
        Supplier<RepositoriesService> repositories) {
      identity = new NoopIdentityPlugin(threads);
      return List.of();
    }

    @Override
    public UnaryOperator<RestHandler> getRestHandlerWrapper(ThreadContext context) {
      return handler ->
          (request, channel, client) -> {
            used("REST wrapper");
            handler.handleRequest(request, channel, client);
          };
    }

    @Override
    public Optional<EngineFactory> getEngineFactory(IndexSettings index) {
      used("engine factory");
      return Optional.of(InternalEngine::new);
    }

    @Override
    public Optional<CodecServiceFactory> getCustomCodecServiceFactory(IndexSettings index) {
      return Optional.of(config -> {
        used("codec service factory");
        return new CodecService(
            config.getMapperService(), config.getIndexSettings(), config.getLogger(), List.of());
      });
    }

    @Override
    public Optional<QueryPhaseSearcher> getQueryPhaseSearcher() {
      return Optional.of(new CountedSearcher());
    }

    @Override
    public void onIndexModule(IndexModule module) {
      module.setReaderWrapper(service ->
          reader -> {
            used("reader wrapper");
            return reader;
          });
    }

    @Override
    public Optional<SecureSettingsFactory> getSecureSettingFactory(Settings settings) {
      used("TLS settings");
      return Optional.of(new NoTls());
    }

    @Override
    public Subject getCurrentSubject() {
      return identity.getCurrentSubject();
    }

    @Override
    public TokenManager getTokenManager() {
      return identity.getTokenManager();
    }

    @Override
    public PluginSubject getPluginSubject(Plugin plugin) {
      used("identity");
      return identity.getPluginSubject(plugin);
    }
  }

  private static final class CountedSearcher extends QueryPhase.DefaultQueryPhaseSearcher {
    @Override
    public boolean searchWith(
        SearchContext context,
        ContextIndexSearcher searcher,
        Query query,
        LinkedList<QueryCollectorContext> collectors,
        boolean hasFilter,
        boolean hasTimeout)
        throws IOException {
      used("query phase searcher");
      return super.searchWith(context, searcher, query, collectors, hasFilter, hasTimeout);
    }
  }

  /** The provider of TLS of a node that speaks plain text. */
  private static final class NoTls implements SecureSettingsFactory {
    @Override
    public Optional<SecureTransportSettingsProvider> getSecureTransportSettingsProvider(
        Settings settings) {
      return Optional.empty();
    }

    @Override
    public Optional<SecureHttpTransportSettingsProvider> getSecureHttpTransportSettingsProvider(
        Settings settings) {
      return Optional.empty();
    }

    @Override
    public Optional<SecureAuxTransportSettingsProvider> getSecureAuxTransportSettingsProvider(
        Settings settings) {
      return Optional.empty();
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> all = new ArrayList<>(super.nodePlugins());
    all.add(TakesEverySlot.class);
    return all;
  }

  /** The engine of every index is the other plugin's, as the page of the fast engine says. */
  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .putList("millrace.engine.yield_to", "index.number_of_shards")
        .build();
  }

  public void testTheNodeServesAndTheOthersSlotsAreUsed() throws Exception {
    ok(
        "PUT",
        "/logs-shop",
        "{\"settings\":{\"index.millrace.profile\":\"logs\",\"number_of_shards\":1,"
            + "\"number_of_replicas\":0}}");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      lines
          .append("{\"index\":{\"_id\":\"")
          .append(i)
          .append("\"}}\n{\"@timestamp\":\"2026-11-23T10:00:00Z\",\"level\":\"")
          .append(i % 4 == 0 ? "error" : "info")
          .append("\",\"message\":\"request ")
          .append(i)
          .append(" served\"}\n");
    }
    bulk("/logs-shop/_bulk?refresh=true", lines.toString());
    assertHits(1, "{\"query\":{\"match_phrase\":{\"message\":\"request 77\"}}}");
    assertHits(50, "{\"query\":{\"match\":{\"level\":\"error\"}},\"track_total_hits\":true}");
    ok("POST", "/logs-shop/_update/7?refresh=true", "{\"doc\":{\"level\":\"fatal\"}}");
    ok("DELETE", "/logs-shop/_doc/8?refresh=true");
    ok("POST", "/logs-shop/_forcemerge?max_num_segments=1");
    assertHits(1, "{\"query\":{\"match\":{\"level\":\"fatal\"}}}");
    assertHits(49, "{\"query\":{\"match\":{\"level\":\"error\"}},\"track_total_hits\":true}");
    assertEquals("request 9 served", ok("GET", "/logs-shop/_doc/9").at("_source.message"));
    ok("GET", "/_millrace");
    ok("GET", "/_millrace/profiles/logs");
    for (String slot :
        List.of(
            "REST wrapper",
            "engine factory",
            "codec service factory",
            "query phase searcher",
            "reader wrapper",
            "TLS settings")) {
      assertTrue(slot + " is the other plugin's: " + USED, USED.containsKey(slot));
    }
  }

  private void assertHits(int expected, String search) throws Exception {
    Answer answer = ok("POST", "/logs-shop/_search", search);
    assertEquals(answer.text(), expected, answer.at("hits.total.value"));
  }
}
