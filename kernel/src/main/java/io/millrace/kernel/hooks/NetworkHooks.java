package io.millrace.kernel.hooks;

import io.millrace.kernel.slot.ForeignBody;
import io.millrace.kernel.slot.HttpDoor;
import io.millrace.kernel.slot.HttpServerSlot;
import io.millrace.kernel.slot.HttpTransportFactory;
import io.millrace.kernel.slot.TransportOrder;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.opensearch.common.network.NetworkService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.BigArrays;
import org.opensearch.common.util.PageCacheRecycler;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.plugins.NetworkPlugin;
import org.opensearch.plugins.SecureHttpTransportSettingsProvider;
import org.opensearch.telemetry.tracing.Tracer;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportInterceptor;

/** What passes between nodes and from clients, as {@link NetworkPlugin} takes it. */
public interface NetworkHooks extends HookRegistry.Holder {

  /** Sees the transport requests between nodes and to itself. */
  default void transport(TransportOrder place, TransportInterceptor interceptor) {
    Collector.of(this).interceptors.add(new Placed<>(place, interceptor));
  }

  /**
   * An HTTP server that {@code http.type} may name, and over TLS as {@code <name>-secure} where a
   * plugin brings the TLS settings. Features that share a server all declare it, with the same
   * factory.
   */
  default void httpTransport(String name, HttpTransportFactory factory) {
    Collector.of(this).httpServers.add(factory, name);
  }

  /**
   * Lets requests to a path bring bodies of a type that OpenSearch has no parser for; the handler
   * asks {@link ForeignBody#typeOf}. Takes effect on HTTP servers of {@link #httpTransport} only:
   * stock's own refuses such a body with 406.
   *
   * @param on whether the path is served now; while it is not, its answers are stock's
   */
  default void foreignBody(String path, String mediaType, BooleanSupplier on) {
    Collector.of(this).foreignBodies.add(new ForeignBody.Way(mediaType, on), path);
  }

  /** Asked about every request to the servers of {@link #httpTransport}; there is one. */
  default void httpDoor(HttpDoor door) {
    Collector.of(this).doors.add(door, "of this node");
    Collector.of(this).slot.door(door);
  }

  /** What was declared. */
  final class Collector {
    private final Declarations<Placed<TransportOrder, TransportInterceptor>> interceptors;
    private final Declarations<HttpTransportFactory> httpServers;
    private final Declarations<ForeignBody.Way> foreignBodies;
    private final Declarations<HttpDoor> doors;
    private final HttpServerSlot slot = new HttpServerSlot();

    private Collector(HookRegistry registry) {
      interceptors = registry.declarations("transport interceptor");
      httpServers = registry.declarations("http.type");
      doors = registry.declarations("door of HTTP");
      foreignBodies = registry.declarations("type of foreign bodies of the path");
    }

    private HttpServerTransport.Dispatcher before(HttpServerTransport.Dispatcher dispatcher) {
      return ForeignBody.before(dispatcher, foreignBodies.byName());
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }
  }

  /** What OpenSearch asks for. */
  interface Adapter extends NetworkPlugin, HookRegistry.Holder {
    @Override
    default List<TransportInterceptor> getTransportInterceptors(
        NamedWriteableRegistry namedWriteableRegistry, ThreadContext threadContext) {
      // each interceptor is wrapped around those before it in the list
      return Placed.inOrder(Collector.of(this).interceptors.values()).reversed();
    }

    @Override
    default Map<String, Supplier<HttpServerTransport>> getHttpTransports(
        Settings settings,
        ThreadPool threadPool,
        BigArrays bigArrays,
        PageCacheRecycler pageCacheRecycler,
        CircuitBreakerService circuitBreakerService,
        NamedXContentRegistry xContentRegistry,
        NetworkService networkService,
        HttpServerTransport.Dispatcher dispatcher,
        ClusterSettings clusterSettings,
        Tracer tracer) {
      Collector declared = Collector.of(this);
      return declared.slot.plain(
          declared.httpServers.byName(),
          new HttpServerSlot.Node(
              settings,
              threadPool,
              bigArrays,
              xContentRegistry,
              networkService,
              declared.before(dispatcher),
              clusterSettings,
              tracer));
    }

    @Override
    default Map<String, Supplier<HttpServerTransport>> getSecureHttpTransports(
        Settings settings,
        ThreadPool threadPool,
        BigArrays bigArrays,
        PageCacheRecycler pageCacheRecycler,
        CircuitBreakerService circuitBreakerService,
        NamedXContentRegistry xContentRegistry,
        NetworkService networkService,
        HttpServerTransport.Dispatcher dispatcher,
        ClusterSettings clusterSettings,
        SecureHttpTransportSettingsProvider tls,
        Tracer tracer) {
      Collector declared = Collector.of(this);
      return declared.slot.secure(
          declared.httpServers.byName(),
          new HttpServerSlot.Node(
              settings,
              threadPool,
              bigArrays,
              xContentRegistry,
              networkService,
              declared.before(dispatcher),
              clusterSettings,
              tracer),
          tls);
    }
  }
}
