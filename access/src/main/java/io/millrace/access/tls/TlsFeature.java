package io.millrace.access.tls;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * TLS for HTTP, and between nodes with certificates on both sides, from PEM files that may change
 * while the node runs.
 *
 * <p>Off, the node's hook answers empty, so that another plugin may bring TLS: OpenSearch refuses a
 * second one ({@code NetworkModule}). On, a node that would speak plain text anywhere does not
 * start. Promise: {@code tls}.
 */
public final class TlsFeature implements Feature {
  /** The feature's id. */
  public static final String ID = "access.tls";

  /** The switch; static, because a node cannot change what it speaks while it serves. */
  public static final Setting<Boolean> ENABLED =
      Checked.flag("millrace.access.tls.enabled", false, Property.NodeScope);

  private static final String PREFIX = "millrace.access.tls.";
  private static final String FOLDER = "certificates/";

  private final Switch enabled =
      new Switch(
          ENABLED,
          "Whether this node speaks TLS only, to clients and to other nodes. Give all nodes of a"
              + " cluster the same value.");

  private final Knob<String> httpCertificate =
      file(
          "http.certificate",
          "http.crt",
          "The certificate that the node shows to HTTP clients, with those between it and its"
              + " authority.");
  private final Knob<String> httpKey = file("http.key", "http.key", "The key of this certificate.");
  private final Knob<String> transportCertificate =
      file(
          "transport.certificate",
          "transport.crt",
          "The certificate that the node shows to other nodes.");
  private final Knob<String> transportKey =
      file("transport.key", "transport.key", "The key of this certificate.");
  private final Knob<String> transportAuthorities =
      file(
          "transport.authorities",
          "transport-ca.crt",
          "The authorities that sign the certificates of the cluster's nodes. Whoever has a"
              + " certificate of theirs is a node and may do anything.");
  private final Knob<TimeValue> warnBefore =
      new Knob<>(
          Checked.time(
              PREFIX + "warn_before",
              TimeValue.timeValueHours(30 * 24L),
              TimeValue.ZERO,
              Property.NodeScope,
              Property.Dynamic),
          "How long before its end a certificate counts as ending.");

  private final TlsProvider provider = new TlsProvider();
  private volatile @Nullable LiveTls http;
  private volatile @Nullable LiveTls transport;

  private static Knob<String> file(String name, String byDefault, String doc) {
    return new Knob<>(
        Setting.simpleString(PREFIX + name, FOLDER + byDefault, Property.NodeScope),
        doc + " A PEM file, as a path under the folder of the configuration.");
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "TLS for HTTP and, with certificates on both sides, between nodes; PEM files are read"
        + " again when they change";
  }

  @Override
  public List<String> sources() {
    return List.of("tls");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(
        httpCertificate,
        httpKey,
        transportCertificate,
        transportKey,
        transportAuthorities,
        warnBefore);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.gauge(
                "ending_soon",
                "certificates",
                "Certificates in use, for HTTP and between nodes, that end within `warn_before`",
                this::ending)
            .tagged(Tag.ENDING_CERTIFICATES),
        Metric.counter(
            "reloads",
            "reloads",
            "Changed certificates that were taken",
            () -> sum(LiveTls::reloads)),
        Metric.counter(
            "failed_reloads",
            "reloads",
            "Looks at changed files that could not be used; the certificates from before stay",
            () -> sum(LiveTls::failures)),
        Metric.counter(
            "http_failures",
            "connections",
            "HTTP connections that ended with an error of TLS",
            provider::httpFailures),
        Metric.counter(
            "transport_failures",
            "connections",
            "Connections between nodes that ended with an error of TLS",
            provider::transportFailures));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.secureSettings(node -> ENABLED.get(node) ? Optional.of(provider) : Optional.empty());
    hooks.report("certificates", this::report);
  }

  @Override
  public void start(NodeServices services) {
    if (!enabled.on()) {
      return;
    }
    requireTlsOnly(services.environment().settings());
    Path config = services.environment().configDir();
    try {
      LiveTls ofHttp =
          new LiveTls(
              "HTTP",
              new KeyMaterial.Paths(in(config, httpCertificate), in(config, httpKey), null));
      LiveTls ofTransport =
          new LiveTls(
              "the transport between nodes",
              new KeyMaterial.Paths(
                  in(config, transportCertificate),
                  in(config, transportKey),
                  in(config, transportAuthorities)));
      provider.begin(ofHttp, ofTransport);
      ResourceWatcherService watcher = services.resourceWatcherService();
      watcher.add(ofHttp, ResourceWatcherService.Frequency.HIGH);
      watcher.add(ofTransport, ResourceWatcherService.Frequency.HIGH);
      http = ofHttp;
      transport = ofTransport;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "["
              + ENABLED.getKey()
              + "] is true, but "
              + e.getMessage()
              + "; millrace certificates makes what is needed",
          e);
    }
  }

  /**
   * @throws IllegalArgumentException naming the setting that would let plain text through
   */
  static void requireTlsOnly(Settings node) {
    requireSecure(node, NetworkModule.HTTP_TYPE_SETTING, "millrace-secure");
    requireSecure(node, NetworkModule.TRANSPORT_TYPE_SETTING, "netty4-secure");
    if (NetworkModule.TRANSPORT_SSL_DUAL_MODE_ENABLED.get(node)) {
      throw new IllegalArgumentException(
          "["
              + ENABLED.getKey()
              + "] is true, but ["
              + NetworkModule.TRANSPORT_SSL_DUAL_MODE_ENABLED_KEY
              + "] lets nodes without TLS in: set it to false");
    }
  }

  private static void requireSecure(Settings node, Setting<String> type, String remedy) {
    String value = type.get(node);
    if (!value.endsWith("-secure")) {
      throw new IllegalArgumentException(
          "["
              + ENABLED.getKey()
              + "] is true, but ["
              + type.getKey()
              + "] is ["
              + value
              + "], which is not TLS: set it to ["
              + remedy
              + "]");
    }
  }

  private static Path in(Path config, Knob<String> file) {
    Path path = config.resolve(file.value()).normalize();
    if (!path.startsWith(config)) {
      throw new IllegalArgumentException(
          "["
              + file.key()
              + "] is ["
              + file.value()
              + "]; a node reads files under "
              + config
              + " only");
    }
    return path;
  }

  private Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("enabled", enabled.on());
    describe(report, "http", http);
    describe(report, "transport", transport);
    return report;
  }

  private static void describe(Map<String, Object> report, String use, @Nullable LiveTls live) {
    if (live != null) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("end", live.end().toString());
      one.put("days_left", daysLeft(live));
      one.put("reloads", live.reloads());
      if (!live.trouble().isEmpty()) {
        one.put("trouble", live.trouble());
      }
      report.put(use, one);
    }
  }

  private static long daysLeft(LiveTls live) {
    return Math.floorDiv(live.end().getEpochSecond() - Instant.now().getEpochSecond(), 86_400L);
  }

  private long ending() {
    Instant soon = Instant.now().plusMillis(warnBefore.value().millis());
    return sum(live -> live.end().isBefore(soon) ? 1 : 0);
  }

  private long sum(ToLongFunction<LiveTls> figure) {
    LiveTls ofHttp = http;
    LiveTls ofTransport = transport;
    return ofHttp == null || ofTransport == null
        ? 0
        : figure.applyAsLong(ofHttp) + figure.applyAsLong(ofTransport);
  }
}
