package io.millrace.kernel;

import io.millrace.kernel.hooks.ActionHooks;
import io.millrace.kernel.hooks.AnalysisHooks;
import io.millrace.kernel.hooks.ClusterHooks;
import io.millrace.kernel.hooks.DiscoveryHooks;
import io.millrace.kernel.hooks.EngineHooks;
import io.millrace.kernel.hooks.HookRegistry;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.hooks.IngestHooks;
import io.millrace.kernel.hooks.MapperHooks;
import io.millrace.kernel.hooks.NetworkHooks;
import io.millrace.kernel.hooks.NodeHooks;
import io.millrace.kernel.hooks.SearchHooks;
import io.millrace.kernel.hooks.SystemIndexHooks;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.settings.ArchivedSettings;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.slot.EngineSlot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Setting;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.script.ScriptService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * Puts features into an OpenSearch node: their life, from declaration to stop. What they hooked
 * into is answered by the adapters that this class inherits.
 *
 * <p>The constructor declares every feature (no services exist yet), {@link #createComponents}
 * binds every setting and then starts the features. The product's plugin and the one-node tests of
 * every domain are subclasses that name their features, so that tests run the same adapters.
 */
public abstract class FeaturePlugin extends NodeHooks.Adapter
    implements ActionHooks.Adapter,
        AnalysisHooks.Adapter,
        ClusterHooks.Adapter,
        DiscoveryHooks.Adapter,
        EngineHooks.Adapter,
        IngestHooks.Adapter,
        MapperHooks.Adapter,
        NetworkHooks.Adapter,
        SearchHooks.Adapter,
        SystemIndexHooks.Adapter {
  /** The features of this node, in order. */
  protected final List<Feature> features;

  private final HookRegistry registry = new HookRegistry();

  /** Declares the features in this order. */
  protected FeaturePlugin(List<Feature> features) {
    this.features = List.copyOf(features);
    this.features.forEach(feature -> registry.declare(feature.id(), feature::declare));
    registry.declare("the plugin", this::declare);
  }

  /** The settings of the kernel itself, which belong to no feature. */
  public static List<Knob<?>> kernelKnobs() {
    return List.of(
        new Knob<>(
            Profile.SETTING,
            "What the index is for: `logs`, `traces`, `search` or `none`. It sets defaults "
                + "while the index is created and cannot be changed later."),
        new Knob<>(
            Profile.FRESHNESS,
            "How soon a write can be found while somebody searches the shard (within "
                + "`index.search.idle.after`). At least `1s`; `-1` leaves it to "
                + "`index.refresh_interval`. Without it, the profile says it."),
        new Knob<>(
            EngineSlot.YIELD_TO,
            "Names of index settings. An index that has one of them gets no engine from "
                + "Millrace. OpenSearch accepts one engine per index, so this makes room for "
                + "another plugin's."));
  }

  /** Hooks that belong to the plugin itself and to no feature; called once, after the features'. */
  protected void declare(Hooks hooks) {}

  @Override
  public final HookRegistry registry() {
    return registry;
  }

  @Override
  public List<Setting<?>> getSettings() {
    List<Setting<?>> settings = new ArrayList<>();
    kernelKnobs().stream().map(Knob::setting).forEach(settings::add);
    features.forEach(feature -> feature.settings().map(Knob::setting).forEach(settings::add));
    return settings;
  }

  @Override
  public Collection<Object> createComponents(
      Client client,
      ClusterService clusterService,
      ThreadPool threadPool,
      ResourceWatcherService resourceWatcherService,
      ScriptService scriptService,
      NamedXContentRegistry xContentRegistry,
      Environment environment,
      NodeEnvironment nodeEnvironment,
      NamedWriteableRegistry namedWriteableRegistry,
      IndexNameExpressionResolver indexNameExpressionResolver,
      Supplier<RepositoriesService> repositoriesServiceSupplier) {
    NodeServices services =
        new NodeServices(
            client,
            clusterService,
            threadPool,
            resourceWatcherService,
            scriptService,
            xContentRegistry,
            environment,
            nodeEnvironment,
            namedWriteableRegistry,
            indexNameExpressionResolver,
            repositoriesServiceSupplier,
            features);
    features.stream()
        .flatMap(Feature::settings)
        .forEach(knob -> knob.bind(environment.settings(), clusterService.getClusterSettings()));
    List<Setting<?>> known = new ArrayList<>(getSettings());
    known.add(EngineConfig.INDEX_CODEC_SETTING); // the name of a codec of ours is archived as well
    clusterService.addListener(new ArchivedSettings(clusterService, known));
    features.forEach(feature -> feature.start(services));
    return components();
  }

  @Override
  public void close() {
    features.forEach(Feature::stop);
  }
}
