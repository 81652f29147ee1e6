package io.millrace.write.templates;

import io.millrace.kernel.NodeServices;
import io.millrace.kernel.report.NodeReportSource;
import io.millrace.kernel.settings.Switch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.indices.template.delete.DeleteComposableIndexTemplateAction;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.ComposableIndexTemplateMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.metadata.MetadataIndexTemplateService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.gateway.GatewayService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;

/**
 * Keeps the shipped templates in the cluster, on the node that is elected cluster manager. What is
 * to be done follows from the cluster state alone, each time anew: so a restart, another manager
 * and a change by hand all end in the same state.
 *
 * <p>A template is there while the switch is on, every node has the plugin (a manager without it
 * could not create an index from the template) and no template of a user's would be hidden or
 * refused because of it. Both of these follow from stock's rules: any composable template hides all
 * legacy ones ({@code MetadataCreateIndexService#applyCreateIndexRequest}), and two composable ones
 * with one priority must not overlap ({@code MetadataIndexTemplateService#addIndexTemplateV2}).
 */
final class TemplateKeeper implements ClusterStateListener, NodeReportSource {
  /** The report by which nodes with this feature are known from those without. */
  static final String SUBJECT = "templates";

  private static final Logger LOG = LogManager.getLogger(TemplateKeeper.class);

  private final Switch enabled;
  private final List<ShippedTemplate> shipped;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final AtomicInteger yielding = new AtomicInteger();
  private final NodesWithoutPlugin withoutPlugin = new NodesWithoutPlugin(SUBJECT, this::lookLater);
  private volatile @Nullable NodeServices services;

  private enum Step {
    NONE,
    PUT,
    REMOVE
  }

  TemplateKeeper(Switch enabled, List<ShippedTemplate> shipped) {
    this.enabled = enabled;
    this.shipped = shipped;
  }

  void start(NodeServices node) {
    services = node;
    withoutPlugin.start(node);
    node.clusterService().addListener(this);
  }

  void stop() {
    NodeServices node = services;
    if (node != null) {
      node.clusterService().removeListener(this);
      withoutPlugin.stop();
    }
  }

  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    if (event.localNodeClusterManager()
        && !event.state().blocks().hasGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK)
        && touched(event)) {
      lookLater();
    }
  }

  private static boolean touched(ClusterChangedEvent event) {
    Metadata before = event.previousState().metadata();
    Metadata after = event.state().metadata();
    return before != after
        && (before.custom(ComposableIndexTemplateMetadata.TYPE)
                != after.custom(ComposableIndexTemplateMetadata.TYPE)
            || !before.templates().equals(after.templates())
            || !before.settings().equals(after.settings()));
  }

  private void lookLater() {
    Objects.requireNonNull(services)
        .threadPool()
        .executor(ThreadPool.Names.GENERIC)
        .execute(this::look);
  }

  /** Does one thing that is to be done; the change it makes, or its answer, brings the next. */
  private void look() {
    NodeServices node = Objects.requireNonNull(services);
    ClusterState state = node.clusterService().state();
    if (!state.nodes().isLocalNodeElectedClusterManager() || yielding.get() > 0) {
      return;
    }
    for (ShippedTemplate template : shipped) {
      Step step = step(template, state);
      if (step == Step.NONE) {
        continue;
      }
      if (busy.compareAndSet(false, true)) {
        ActionListener<AcknowledgedResponse> done =
            ActionListener.wrap(
                answer -> {
                  busy.set(false);
                  lookLater();
                },
                failure -> {
                  // the next change of templates, settings or nodes tries again
                  busy.set(false);
                  LOG.warn("template [{}]: {} failed", template.name(), step, failure);
                });
        if (step == Step.PUT) {
          put(template, state, done);
        } else {
          remove(template.name(), done);
        }
      }
      return;
    }
  }

  private Step step(ShippedTemplate template, ClusterState state) {
    ComposableIndexTemplate present = state.metadata().templatesV2().get(template.name());
    if (present == null) {
      return enabled.on() && withoutPlugin.none(state) && inFront(template, state).isEmpty()
          ? Step.PUT
          : Step.NONE;
    }
    if (!ShippedTemplate.untouched(present)) {
      return Step.NONE; // somebody's own by now
    }
    if (enabled.on()
        ? withoutPlugin.some(state) || !inFront(template, state).isEmpty()
        : said(state)) {
      return Step.REMOVE;
    }
    return enabled.on() && template.replaces(present) ? Step.PUT : Step.NONE;
  }

  /** Which nodes of the cluster lack the plugin, as far as this node knows. */
  NodesWithoutPlugin withoutPlugin() {
    return withoutPlugin;
  }

  /** Off because somebody said so: a node that was told nothing takes nothing away. */
  private boolean said(ClusterState state) {
    String key = enabled.setting().getKey();
    return state.metadata().settings().hasValue(key)
        || Objects.requireNonNull(services).clusterService().getSettings().hasValue(key);
  }

  /** Templates of users that would be hidden or refused beside a shipped one. */
  private static Set<String> inFront(ShippedTemplate template, ClusterState state) {
    List<String> patterns = template.body().indexPatterns();
    Set<String> names =
        new TreeSet<>(
            MetadataIndexTemplateService.findConflictingV1Templates(
                    state, template.name(), patterns)
                .keySet());
    MetadataIndexTemplateService.findConflictingV2Templates(state, template.name(), patterns)
        .keySet()
        .stream()
        .filter(other ->
            Objects.requireNonNull(state.metadata().templatesV2().get(other)).priorityOrZero()
                == template.body().priorityOrZero())
        .forEach(names::add);
    return names;
  }

  /** Shipped templates of the cluster that a template with these patterns would clash with. */
  List<String> inTheWay(String name, List<String> patterns) {
    NodeServices node = services;
    if (node == null) {
      return List.of();
    }
    ClusterState state = node.clusterService().state();
    if (!state.nodes().isLocalNodeElectedClusterManager()) {
      return List.of();
    }
    List<String> out = new ArrayList<>();
    for (ShippedTemplate template : shipped) {
      ComposableIndexTemplate present = state.metadata().templatesV2().get(template.name());
      boolean there =
          present == null
              ? busy.get() // on its way, perhaps
              : ShippedTemplate.untouched(present);
      if (there && overlaps(template, name, patterns)) {
        out.add(template.name());
      }
    }
    return out;
  }

  private static boolean overlaps(ShippedTemplate template, String name, List<String> patterns) {
    ClusterState alone =
        ClusterState.builder(ClusterName.DEFAULT)
            .metadata(Metadata.builder().put(template.name(), template.body()))
            .build();
    return !MetadataIndexTemplateService.findConflictingV2Templates(alone, name, patterns)
        .isEmpty();
  }

  /**
   * Takes templates away so that a user's can come, and looks again when that is done.
   *
   * @param next called once they are gone, or could not be removed
   */
  void giveWay(List<String> names, Runnable next) {
    yielding.incrementAndGet();
    LOG.info("templates {} give way to a template of a user's", names);
    GroupedActionListener<AcknowledgedResponse> all =
        new GroupedActionListener<>(
            ActionListener.wrap(
                answers -> next.run(),
                failure -> {
                  LOG.debug("templates {} were not there", names, failure);
                  next.run();
                }),
            names.size());
    names.forEach(name -> remove(name, all));
  }

  /** The user's template is there, or was refused. */
  void gaveWay() {
    yielding.decrementAndGet();
    lookLater();
  }

  private void put(
      ShippedTemplate template, ClusterState state, ActionListener<AcknowledgedResponse> done) {
    PutComposableIndexTemplateAction.Request request =
        new PutComposableIndexTemplateAction.Request(template.name())
            .indexTemplate(template.body())
            .cause("millrace")
            .create(!state.metadata().templatesV2().containsKey(template.name()));
    Objects.requireNonNull(services)
        .runAsNode(
            () -> client().execute(PutComposableIndexTemplateAction.INSTANCE, request, done));
  }

  private void remove(String name, ActionListener<AcknowledgedResponse> done) {
    Objects.requireNonNull(services)
        .runAsNode(() ->
            client()
                .execute(
                    DeleteComposableIndexTemplateAction.INSTANCE,
                    new DeleteComposableIndexTemplateAction.Request(name),
                    done));
  }

  private Client client() {
    return Objects.requireNonNull(services).client();
  }

  @Override
  public Map<String, Object> report() {
    NodeServices node = services;
    Map<String, Object> out = new LinkedHashMap<>();
    if (node == null) {
      return out;
    }
    ClusterState state = node.clusterService().state();
    out.put("enabled", enabled.on());
    for (ShippedTemplate template : shipped) {
      ComposableIndexTemplate present = state.metadata().templatesV2().get(template.name());
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("index_patterns", template.body().indexPatterns());
      if (present == null) {
        one.put("state", "absent");
        one.put("because_of", List.copyOf(inFront(template, state)));
      } else {
        one.put("state", ShippedTemplate.untouched(present) ? "installed" : "edited");
        one.put("version", present.version() == null ? 0 : present.version());
      }
      out.put(template.name(), one);
    }
    return out;
  }
}
