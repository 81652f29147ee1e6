package io.millrace.kernel.hooks;

import io.millrace.kernel.slot.SearchOrder;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.opensearch.index.IndexCreationValidator;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.cache.query.QueryCache;
import org.opensearch.index.shard.IndexSettingProvider;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.indices.IndicesQueryCache;
import org.opensearch.plugins.Plugin;

/** What happens to an index when it is created and opened, as {@link Plugin} takes it. */
public interface IndexHooks extends HookRegistry.Holder {

  /** Called for every index that this node opens, before its shards exist. */
  default void index(Consumer<IndexModule> listener) {
    Collector.of(this).opened.add(listener);
  }

  /** Adds settings to indices while they are created. */
  default void indexSettings(IndexSettingProvider provider) {
    Collector.of(this).settings.add(provider);
  }

  /**
   * Refuses a new index, once its mappings are merged, by an IllegalArgumentException; not asked
   * when an index is restored or opened.
   */
  default void indexCreation(IndexCreationValidator validator) {
    Collector.of(this).validators.add(validator);
  }

  /** Told of every search phase in every index of this node. */
  default void searchListener(SearchOrder place, SearchOperationListener listener) {
    Collector.of(this).searches.add(new Placed<>(place, listener));
  }

  /**
   * The query cache of every index of this node. OpenSearch takes one per index ({@code
   * IndexModule#forceQueryCacheProvider}), so one feature may bring it.
   */
  default void queryCache(BiFunction<IndexSettings, IndicesQueryCache, QueryCache> provider) {
    Collector.of(this).queryCaches.add(provider, "of every index");
  }

  /** What was declared. */
  final class Collector {
    private final Declarations<Consumer<IndexModule>> opened;
    private final Declarations<IndexSettingProvider> settings;
    private final Declarations<IndexCreationValidator> validators;
    private final Declarations<Placed<SearchOrder, SearchOperationListener>> searches;
    private final Declarations<BiFunction<IndexSettings, IndicesQueryCache, QueryCache>>
        queryCaches;

    private Collector(HookRegistry registry) {
      opened = registry.declarations("index listener");
      settings = registry.declarations("provider of index settings");
      validators = registry.declarations("validator of new indices");
      searches = registry.declarations("search listener");
      queryCaches = registry.declarations("query cache");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }
  }

  /** What OpenSearch asks for; a class, because {@link Plugin} is one. */
  abstract class Adapter extends Plugin implements HookRegistry.Holder {
    /** The search listeners of every index, in their order. */
    public final List<SearchOperationListener> searchListeners() {
      return Placed.inOrder(Collector.of(this).searches.values());
    }

    @Override
    public void onIndexModule(IndexModule module) {
      Collector declared = Collector.of(this);
      declared.opened.values().forEach(listener -> listener.accept(module));
      searchListeners().forEach(listener -> module.addSearchOperationListener(listener));
      declared.queryCaches.values().forEach(provider -> module.forceQueryCacheProvider(provider));
    }

    @Override
    public Collection<IndexSettingProvider> getAdditionalIndexSettingProviders() {
      return Collector.of(this).settings.values();
    }

    @Override
    public Collection<IndexCreationValidator> getIndexCreationValidators() {
      return Collector.of(this).validators.values();
    }
  }
}
