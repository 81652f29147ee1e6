package io.millrace.kernel.hooks;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.opensearch.bootstrap.BootstrapCheck;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SecureSettingsFactory;
import org.opensearch.threadpool.ExecutorBuilder;

/** What a node is built of, as {@link Plugin} takes it. */
public interface NodeHooks extends HookRegistry.Holder {

  /**
   * An object that injection hands to the classes of {@link ActionHooks#action}; known by its
   * class, so that no two features may bring the same one.
   */
  default void component(Object component) {
    Collector.of(this).components.add(component, component.getClass().getName());
  }

  /** How an object of a category is read from a stream, by its name. */
  default void namedWriteable(NamedWriteableRegistry.Entry entry) {
    Collector.of(this).writeables.add(entry, entry.categoryClass.getName() + " " + entry.name);
  }

  /** How an object of a category is read from a document, by its name. */
  default void namedXContent(NamedXContentRegistry.Entry entry) {
    Collector.of(this)
        .xContents
        .add(entry, entry.categoryClass.getName() + " " + entry.name.getPreferredName());
  }

  /**
   * A thread pool of the feature's own, which {@code _cat/thread_pool} shows.
   *
   * @param name the pool's name; that of the builder
   */
  default void threadPool(String name, Function<Settings, ExecutorBuilder<?>> builder) {
    Collector.of(this).threadPools.add(builder, name);
  }

  /** Settings that this node has where its configuration does not say otherwise. */
  default void nodeSettings(Settings settings) {
    Collector.of(this).nodeSettings.add(settings, settings.keySet());
  }

  /** Settings that no answer shows, by name or pattern. */
  default void hiddenSettings(String pattern) {
    Collector.of(this).hiddenSettings.add(pattern, pattern);
  }

  /** Must hold before a node that others can reach may start. */
  default void bootstrapCheck(BootstrapCheck check) {
    Collector.of(this).bootstrapChecks.add(check);
  }

  /**
   * TLS for the node's transports. OpenSearch refuses a second provider ({@code NetworkModule}), so
   * one feature may bring it, and it answers empty where it is off.
   */
  default void secureSettings(Function<Settings, Optional<SecureSettingsFactory>> factory) {
    Collector.of(this).secureSettings.add(factory, "of this node");
  }

  /** What was declared. */
  final class Collector {
    private final Declarations<Object> components;
    private final Declarations<NamedWriteableRegistry.Entry> writeables;
    private final Declarations<NamedXContentRegistry.Entry> xContents;
    private final Declarations<Function<Settings, ExecutorBuilder<?>>> threadPools;
    private final Declarations<Settings> nodeSettings;
    private final Declarations<String> hiddenSettings;
    private final Declarations<BootstrapCheck> bootstrapChecks;
    private final Declarations<Function<Settings, Optional<SecureSettingsFactory>>> secureSettings;

    private Collector(HookRegistry registry) {
      components = registry.declarations("component class");
      writeables = registry.declarations("named writeable");
      xContents = registry.declarations("named XContent");
      threadPools = registry.declarations("thread pool");
      nodeSettings = registry.declarations("default of the setting");
      hiddenSettings = registry.declarations("hidden setting");
      bootstrapChecks = registry.declarations("bootstrap check");
      secureSettings = registry.declarations("provider of TLS settings");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }
  }

  /** What OpenSearch asks for; a class, because {@link Plugin} is one. */
  abstract class Adapter extends IndexHooks.Adapter {
    /** What {@code createComponents} answers, once the features have started. */
    protected final Collection<Object> components() {
      return Collector.of(this).components.values();
    }

    @Override
    public List<NamedWriteableRegistry.Entry> getNamedWriteables() {
      return Collector.of(this).writeables.values();
    }

    @Override
    public List<NamedXContentRegistry.Entry> getNamedXContent() {
      return Collector.of(this).xContents.values();
    }

    @Override
    public List<ExecutorBuilder<?>> getExecutorBuilders(Settings settings) {
      return Collector.of(this).threadPools.values().stream()
          .<ExecutorBuilder<?>>map(builder -> builder.apply(settings))
          .toList();
    }

    @Override
    public Settings additionalSettings() {
      Settings.Builder all = Settings.builder();
      Collector.of(this).nodeSettings.values().forEach(all::put);
      return all.build();
    }

    @Override
    public List<String> getSettingsFilter() {
      return Collector.of(this).hiddenSettings.values();
    }

    @Override
    public List<BootstrapCheck> getBootstrapChecks() {
      return Collector.of(this).bootstrapChecks.values();
    }

    @Override
    public Optional<SecureSettingsFactory> getSecureSettingFactory(Settings settings) {
      return Collector.of(this).secureSettings.values().stream()
          .findFirst()
          .flatMap(factory -> factory.apply(settings));
    }
  }
}
