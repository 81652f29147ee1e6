package io.millrace.access.control;

import io.millrace.access.admin.AnyChangeAction;
import io.millrace.access.admin.Changes;
import io.millrace.access.admin.OwnChangeAction;
import io.millrace.access.admin.RestAccessAction;
import io.millrace.access.admin.RestKeysAction;
import io.millrace.access.admin.TransportAnyChangeAction;
import io.millrace.access.admin.TransportOwnChangeAction;
import io.millrace.access.audit.AuditLog;
import io.millrace.access.authorization.AuthorizationFilter;
import io.millrace.access.identity.Identity;
import io.millrace.access.login.AccessDoor;
import io.millrace.access.login.Authenticator;
import io.millrace.access.store.AccessMetadata;
import io.millrace.access.store.AccessStore;
import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.NamedDiff;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.core.ParseField;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.plugins.ActionPlugin.ActionHandler;
import org.opensearch.threadpool.Scheduler.Cancellable;
import org.opensearch.threadpool.ThreadPool;

/**
 * Users, roles and keys, and one filter that asks them before every action.
 *
 * <p>The switch is static and of the node: a request cannot take the lock off. Promise: {@code
 * access}.
 */
public final class AccessControlFeature implements Feature {
  /** The feature's id. */
  public static final String ID = "access.control";

  /** The switch of the whole domain. */
  public static final Setting<Boolean> ENABLED =
      Checked.flag("millrace.access.enabled", false, Property.NodeScope);

  private static final String SERVER = "millrace";
  private static final int QUEUE = 64;
  private static final TimeValue REREAD = TimeValue.timeValueSeconds(5);

  private final Switch enabled =
      new Switch(
          ENABLED,
          "Whether this node asks who somebody is and what they may do. Give all nodes of a cluster"
              + " the same value.");

  private final AccessLimits limits = new AccessLimits();
  private final AuditLog audit =
      new AuditLog(limits.audit::value, limits.auditLines::value, System::nanoTime);
  private final AccessStore store = new AccessStore(System::currentTimeMillis);
  private final AuthorizationFilter filter = new AuthorizationFilter(enabled::on, store, audit);
  private volatile @Nullable Authenticator authenticator;
  private @Nullable ExecutorService slow;
  private @Nullable Cancellable reading;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Users, API keys and roles; every action is checked";
  }

  @Override
  public List<String> sources() {
    return List.of("access", "authentication");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return limits.knobs();
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "recognized",
            "requests",
            "Requests whose credentials were known without a slow hash",
            () -> counted(Authenticator::hits)),
        Metric.counter(
            "hashes",
            "passwords",
            "Passwords that were checked by a slow hash",
            () -> counted(Authenticator::hashes)),
        Metric.counter(
                "failed_logins",
                "requests",
                "Requests with wrong credentials",
                () -> counted(Authenticator::failed))
            .tagged(Tag.FAILED_LOGINS),
        Metric.counter(
            "delayed_logins",
            "requests",
            "Requests that got 429 because too many passwords were wrong or waited to be checked",
            () -> counted(Authenticator::damped)),
        Metric.counter(
            "refused", "requests", "Actions that somebody known may not", filter::refused),
        Metric.gauge(
            "users",
            "users",
            "Users of the cluster, on the node that counts them",
            () -> store.metadata().users().size()),
        Metric.counter("audit_lines", "lines", "Lines of the audit log", audit::written),
        Metric.counter(
            "audit_dropped",
            "lines",
            "Lines of the audit log that were too many in a second",
            audit::dropped));
  }

  private long counted(ToLongFunction<Authenticator> figure) {
    Authenticator now = authenticator;
    return now == null ? 0 : figure.applyAsLong(now);
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.actionFilter(filter);
    hooks.httpDoor(new AccessDoor(() -> authenticator, audit));
    hooks.taskHeader(Identity.HEADER);
    hooks.bootstrapCheck(new OpenNetworkCheck());
    hooks.namedWriteable(
        new NamedWriteableRegistry.Entry(
            Metadata.Custom.class, AccessMetadata.TYPE, AccessMetadata::new));
    hooks.namedWriteable(
        new NamedWriteableRegistry.Entry(
            NamedDiff.class, AccessMetadata.TYPE, AccessMetadata::readDiffFrom));
    hooks.namedXContent(
        new NamedXContentRegistry.Entry(
            Metadata.Custom.class,
            new ParseField(AccessMetadata.TYPE),
            AccessMetadata::fromXContent));
    Changes changes = new Changes(enabled::on, store, audit);
    hooks.component(changes);
    hooks.action(new ActionHandler<>(AnyChangeAction.INSTANCE, TransportAnyChangeAction.class));
    hooks.action(new ActionHandler<>(OwnChangeAction.INSTANCE, TransportOwnChangeAction.class));
    hooks.rest(new RestAccessAction(changes, () -> Objects.requireNonNull(slow)));
    hooks.rest(new RestKeysAction(changes));
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when access is on and the node could be reached around it
   */
  @Override
  public void start(NodeServices services) {
    if (!enabled.on()) {
      return;
    }
    Settings settings = services.environment().settings();
    requireOurServer(settings);
    OperatorsFile operators = new OperatorsFile(services.environment().configDir(), store);
    operators.first();
    int threads = Math.max(1, OpenSearchExecutors.allocatedProcessors(settings) / 8);
    ExecutorService pool =
        OpenSearchExecutors.newFixed(
            "millrace_access",
            threads,
            QUEUE,
            OpenSearchExecutors.daemonThreadFactory(settings, "millrace_access"),
            services.threadPool().getThreadContext());
    slow = pool;
    services.clusterService().addListener(store);
    filter.start(services);
    reading =
        services
            .threadPool()
            .scheduleWithFixedDelay(operators::again, REREAD, ThreadPool.Names.GENERIC);
    authenticator = new Authenticator(store, pool, System::nanoTime);
  }

  /** A server of somebody else's would dispatch requests that nobody has asked about. */
  private static void requireOurServer(Settings settings) {
    String http = NetworkModule.HTTP_TYPE_SETTING.get(settings);
    if (!http.startsWith(SERVER)) {
      throw new IllegalStateException(
          "[millrace.access.enabled] is true, but [http.type] is ["
              + http
              + "]; set it to ["
              + SERVER
              + "-secure], or to ["
              + SERVER
              + "] on a loopback address, or access off");
    }
    List<String> around = settings.getAsList("aux.transport.types");
    if (!around.isEmpty()) {
      throw new IllegalStateException(
          "[millrace.access.enabled] is true, but [aux.transport.types] is "
              + around
              + ", whose requests nobody is asked about; remove it");
    }
  }

  @Override
  public void stop() {
    if (reading != null) {
      reading.cancel();
    }
    if (slow != null) {
      slow.shutdownNow();
    }
  }
}
