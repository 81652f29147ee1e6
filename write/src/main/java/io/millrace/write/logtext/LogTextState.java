package io.millrace.write.logtext;

import io.millrace.kernel.slot.ReaderView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.DirectoryReader;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.index.Index;
import org.opensearch.index.IndexService;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.indices.cluster.IndicesClusterStateService.AllocatedIndices.IndexRemovalReason;

/**
 * What the {@code log_text} fields of a node share: the switch, the dictionaries, and for each open
 * index its fields' sketches.
 */
final class LogTextState implements IndexEventListener {
  final TemplateCache cache;
  private final BooleanSupplier on;
  private final Map<String, IndexSketches> open = new ConcurrentHashMap<>();

  LogTextState(TemplateCache cache, BooleanSupplier on) {
    this.cache = cache;
    this.on = on;
  }

  /** Comes before the index knows its mapping (IndicesService#createIndex at 3.8.0). */
  @Override
  public void afterIndexCreated(IndexService index) {
    CircuitBreaker breaker =
        index.getBigArrays().breakerService().getBreaker(CircuitBreaker.FIELDDATA);
    cache.count(breaker);
    open.put(
        index.index().getUUID(),
        new IndexSketches(
            field -> text(index.mapperService(), field),
            () -> typesByName(index.mapperService().documentMapper()),
            breaker));
  }

  private static @Nullable IndexedText text(MapperService mappings, String field) {
    return mappings.fieldType(field) instanceof LogTextFieldType type
        ? new IndexedText(mappings.sourcePath(field), type.indexAnalyzer())
        : null;
  }

  /** Such a field is first known while a search of it is parsed, which has its reader by then. */
  private static boolean typesByName(@Nullable DocumentMapper mapping) {
    return mapping != null && mapping.root().dynamicProperties().length > 0;
  }

  @Override
  public void afterIndexRemoved(Index index, IndexSettings settings, IndexRemovalReason reason) {
    IndexSketches closed = open.remove(index.getUUID());
    if (closed != null) {
      closed.close();
    }
  }

  /** What the searches of an index see; its engine, which asks for it, shows it to all of them. */
  ReaderView view(String indexUuid) {
    IndexSketches index = open.get(indexUuid);
    if (index == null) {
      return ReaderView.NONE;
    }
    index.viewed();
    return new ReaderView() {
      @Override
      public boolean active() {
        return index.hasFields();
      }

      @Override
      public DirectoryReader over(DirectoryReader reader) {
        try {
          return new LogTextReaders(reader, index.fields(), cache);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  /** The sketches of all fields that were written to since their index was opened. */
  List<TemplateSketch> sketches() {
    return open.values().stream().flatMap(index -> index.sketches().stream()).toList();
  }

  /** A field was mapped, by an index that is open or by one that only looks at its mapping. */
  FieldSketch field(Settings indexSettings, String name) {
    String uuid = indexSettings.get(IndexMetadata.SETTING_INDEX_UUID, "");
    IndexSketches index = open.get(uuid);
    if (index != null) {
      index.mapped();
    }
    return new FieldSketch(index, name);
  }

  /** The sketch of one field of one index; however often the field is mapped anew, the same. */
  final class FieldSketch {
    private final @Nullable IndexSketches index;
    private final String field;
    private volatile @Nullable TemplateSketch sketch;

    private FieldSketch(@Nullable IndexSketches index, String field) {
      this.index = index;
      this.field = field;
    }

    /**
     * Null where no template may count: while the feature is off, for more fields of an index than
     * have sketches, where memory is short, for an index that is not open, and where the engine is
     * another plugin's, which shows searches the templates.
     */
    @Nullable TemplateSketch current() {
      if (index == null || !on.getAsBoolean()) {
        return null;
      }
      TemplateSketch known = sketch;
      if (known == null || index.closed()) {
        known = index.sketch(field);
        sketch = known;
      }
      return known;
    }

    /** Whether {@link #current} would give a sketch; makes none. */
    boolean offered() {
      return index != null && on.getAsBoolean() && index.offers(field);
    }
  }
}
