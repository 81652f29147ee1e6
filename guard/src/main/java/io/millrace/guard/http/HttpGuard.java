package io.millrace.guard.http;

import io.millrace.guard.bodythreads.BodyThreadsFeature;
import io.millrace.guard.breaker.RequestBreakerFeature;
import io.millrace.guard.inbound.InboundBudget;
import io.millrace.guard.lanes.SearchLanesFeature;
import io.millrace.guard.outbound.OutboundBudget;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.slot.HttpDoor;
import io.millrace.kernel.slot.HttpServerSlot;
import io.millrace.kernel.slot.HttpTransportFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.transport.SharedGroupFactory;

/**
 * Stock's HTTP server with both budgets in it: {@code http.type: millrace}, and over TLS {@code
 * millrace-secure} where a plugin brings the TLS settings.
 *
 * <p>A node has one HTTP server. Without that line in the configuration it is stock's, and the
 * budgets see nothing. The security plugin brings a server of its own with handlers made for its
 * own copy of Netty; it is left alone, see {@link #create}.
 */
public final class HttpGuard implements HttpTransportFactory {
  /** What {@code http.type} says to have the budgets. */
  public static final String TYPE = "millrace";

  private static final Logger LOGGER = LogManager.getLogger(HttpGuard.class);

  private final InboundBudget inbound;
  private final OutboundBudget outbound;
  private final SearchLanesFeature lanes;
  private final RequestBreakerFeature breaker;
  private final BodyThreadsFeature bodies;

  /** One per node, shared by the features. */
  public HttpGuard(
      InboundBudget inbound,
      OutboundBudget outbound,
      SearchLanesFeature lanes,
      RequestBreakerFeature breaker,
      BodyThreadsFeature bodies) {
    this.inbound = inbound;
    this.outbound = outbound;
    this.lanes = lanes;
    this.breaker = breaker;
    this.bodies = bodies;
  }

  /** Offers the server to the node; both features do. */
  public void declare(Hooks hooks) {
    hooks.httpTransport(TYPE, this);
  }

  @Override
  public HttpServerTransport create(Services services) {
    SharedGroupFactory threads = new SharedGroupFactory(services.node().settings());
    if (services.tls() == null) {
      if (services.tlsProvided()) {
        // never plain text where a plugin was installed to prevent it
        throw new IllegalStateException(
            "http.type is ["
                + TYPE
                + "], which speaks plain text, but a plugin of this node brings TLS for HTTP: remove"
                + " http.type from opensearch.yml to use that plugin's server (the security plugin;"
                + " guard.inbound-budget and guard.outbound-budget are then out of work), or set ["
                + TYPE
                + "-secure] when the plugin only brings keys");
      }
      LOGGER.info("HTTP is served with byte budgets for bodies and responses");
      return new GuardedHttpTransport(
          noting(services.node()), threads, new Gates(this, services.door()));
    }
    LOGGER.info("HTTPS is served with byte budgets for bodies and responses");
    try {
      return new GuardedSecureHttpTransport(
          noting(services.node()), services.tls(), threads, new Gates(this, services.door()));
    } catch (ClassCastException e) {
      throw new IllegalStateException(
          "http.type is ["
              + TYPE
              + "-secure], but the plugin that brings TLS insists on handlers made for its own HTTP"
              + " server: remove http.type from opensearch.yml to use that",
          e);
    }
  }

  private HttpServerSlot.Node noting(HttpServerSlot.Node node) {
    return new HttpServerSlot.Node(
        node.settings(),
        node.threadPool(),
        node.bigArrays(),
        node.xContentRegistry(),
        node.networkService(),
        bodies.handing(
            lanes.noting(
                breaker.judging(
                    node.dispatcher(),
                    node.bigArrays()
                        .breakerService()
                        .getBreaker(CircuitBreaker.IN_FLIGHT_REQUESTS))),
            node.threadPool()),
        node.clusterSettings(),
        node.tracer());
  }

  /** What the gates of one server ask. */
  record Gates(HttpGuard guard, HttpDoor door) {
    /** What goes where stock lets a plugin look at headers, before anything is buffered. */
    ChannelInboundHandlerAdapter behind(ChannelHandler verifier, long maxContentLength) {
      return new GateInstaller(this, verifier, maxContentLength);
    }

    InboundBudget inbound() {
      return guard.inbound;
    }

    OutboundBudget outbound() {
      return guard.outbound;
    }
  }
}
