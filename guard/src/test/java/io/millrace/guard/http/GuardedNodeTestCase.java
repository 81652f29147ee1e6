package io.millrace.guard.http;

import io.millrace.guard.GuardDomain;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.metric.Metric;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.opensearch.common.CheckedRunnable;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.transport.Netty4ModulePlugin;

/**
 * A node whose HTTP server has the budgets, small ones; after every test all of them must be back
 * at zero.
 */
public abstract class GuardedNodeTestCase extends OpenSearchIntegTestCase {
  static final int MB = 1 << 20;
  static final String INBOUND = "millrace.guard.inbound_budget.";
  static final String OUTBOUND = "millrace.guard.outbound_budget.";

  /** The guard's features alone. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(GuardDomain.features());
    }

    List<Feature> all() {
      return features;
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(Host.class, Netty4ModulePlugin.class);
  }

  @Override
  protected boolean addMockHttpTransport() {
    return false;
  }

  @Override
  protected boolean addMockInternalEngine() {
    return false;
  }

  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put(NetworkModule.HTTP_TYPE_KEY, HttpGuard.TYPE)
        .put(INBOUND + "small", "2mb")
        .put(INBOUND + "large", "4mb")
        .put(INBOUND + "small_body", "1mb")
        .build();
  }

  @After
  public void everythingCameBack() throws Exception {
    set(
        Settings.builder()
            .putNull(INBOUND + "max_wait")
            .putNull(INBOUND + "floor_rate")
            .putNull(INBOUND + "floor_window")
            .putNull(INBOUND + "queued_writes")
            .putNull(INBOUND + "enabled")
            .putNull(OUTBOUND + "*"));
    await(() -> {
      assertEquals(0, inbound("small_used"));
      assertEquals(0, inbound("large_used"));
      assertEquals(0, inbound("waiting"));
      assertEquals(0, outbound("pending"));
    });
  }

  /** {@link #assertBusy} with a bound that only a fault reaches, also on one busy core. */
  static void await(CheckedRunnable<Exception> condition) throws Exception {
    assertBusy(condition, 120, TimeUnit.SECONDS);
  }

  static void set(Settings.Builder settings) {
    client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get();
  }

  static long inbound(String name) {
    return metric("guard.inbound-budget", name);
  }

  static long outbound(String name) {
    return metric("guard.outbound-budget", name);
  }

  static long metric(String feature, String name) {
    Host host =
        internalCluster()
            .getDataNodeInstance(PluginsService.class)
            .filterPlugins(Host.class)
            .getFirst();
    for (Feature one : host.all()) {
      if (one.id().equals(feature)) {
        for (Metric metric : one.metrics()) {
          if (metric.name().equals(name)) {
            return (long) metric.samples().get().getFirst().value();
          }
        }
      }
    }
    throw new AssertionError(feature + " " + name);
  }

  static InetSocketAddress http() {
    TransportAddress address =
        internalCluster()
            .getDataNodeInstance(HttpServerTransport.class)
            .boundAddress()
            .publishAddress();
    return new InetSocketAddress(address.getAddress(), address.getPort());
  }

  static Wire wire() throws IOException {
    return new Wire(http());
  }

  /** Lines of a bulk of at least so many bytes. */
  static String bulk(int bytes) {
    String item = "{\"index\":{}}\n{\"m\":\"" + "x".repeat(1000) + "\"}\n";
    StringBuilder lines = new StringBuilder(bytes + 2000);
    while (lines.length() < bytes) {
      lines.append(item);
    }
    return lines.toString();
  }
}
