package io.millrace.write.logtext;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.EngineExtension;
import io.millrace.kernel.slot.ReaderView;
import java.util.List;
import java.util.function.ToLongFunction;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.mapper.ParsedDocument;
import org.opensearch.index.shard.IndexingOperationListener;

/**
 * The field type {@code log_text}, because log messages are templates with a few variables: a
 * message of twenty tokens becomes one posting for its template and one for each variable.
 *
 * <p>Measured before it was built, on raw Lucene, message field alone, 1M messages: 15.8-17.2 us
 * and 49.6 bytes a document as text, 7.5-7.8 us and 22.4 bytes as template and variables; this
 * implementation's figures stand on its page.
 *
 * <p>Off: no template counts any more, and every value is written as {@code match_only_text} writes
 * it. The type stays known and what is written stays searchable.
 */
public final class LogTextFeature implements Feature {
  private final Switch enabled = Feature.switchFor(id(), true);

  private final Knob<ByteSizeValue> cacheSize =
      new Knob<>(
          Checked.memory(
              prefix() + ".cache_size",
              "2%",
              ByteSizeValue.ZERO,
              Property.NodeScope,
              Property.Dynamic),
          "How much memory the template dictionaries of open segments, with digests of their "
              + "tokens, may take on a node: bytes, or percent of the heap. A dictionary that "
              + "finds no room is read again by each query.");

  private final TemplateCache cache = new TemplateCache(16L << 20);
  private final LogTextState state = new LogTextState(cache, enabled::on);

  @Override
  public String id() {
    return "write.log-text";
  }

  @Override
  public String summary() {
    return "Field type `log_text`: log messages are indexed by template and variables, "
        + "with the answers of `match_only_text`";
  }

  @Override
  public List<String> sources() {
    return List.of("log-templates");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(cacheSize);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.gauge(
            "cache",
            "bytes",
            "Memory held by template dictionaries of segments and digests of their tokens",
            cache::bytes),
        Metric.gauge(
            "cached_templates",
            "templates",
            "Templates in the cached dictionaries; a template counts once for each segment",
            cache::templates),
        Metric.counter(
            "dictionary_reads",
            "dictionaries",
            "How often a segment's templates were read because no dictionary was cached",
            cache.reads::sum),
        Metric.counter(
            "cache_hits",
            "dictionaries",
            "How often a cached dictionary was used",
            cache.hits::sum),
        Metric.counter(
            "cache_evictions",
            "dictionaries",
            "Dictionaries dropped to stay within the bound",
            cache.evictions::sum),
        Metric.gauge(
            "sketches",
            "bytes",
            "Memory of the sketches that estimate how often a template occurs",
            () -> state.sketches().size() * TemplateSketch.BYTES),
        Metric.gauge(
            "templated_values",
            "values",
            "Values that the open fields have written with a template",
            () -> sum(sketch -> sketch.known.sum())),
        Metric.gauge(
            "free_values",
            "values",
            "Values that the open fields have written without a template, because none was "
                + "frequent yet",
            () -> sum(sketch -> sketch.unknown.sum())));
  }

  private long sum(ToLongFunction<TemplateSketch> figure) {
    return state.sketches().stream().mapToLong(figure).sum();
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.mapper(LogTextFieldMapper.CONTENT_TYPE, LogTextFieldMapper.parser(state));
    hooks.mapper(LogTemplateFieldMapper.CONTENT_TYPE, LogTemplateFieldMapper.PARSER);
    hooks.index(module -> {
      module.addIndexOperationListener(new IndexedDocuments());
      module.addIndexEventListener(state);
    });
    hooks.engine(
        new EngineExtension() {
          @Override
          public boolean wants(IndexSettings settings) {
            return true; // a field may be mapped later
          }

          @Override
          public ReaderView view(IndexSettings settings) {
            return state.view(settings.getUUID());
          }
        });
  }

  @Override
  public void start(NodeServices services) {
    cacheSize.follow(size -> cache.limit(size.getBytes()));
  }

  /**
   * Tells the values of a document that a shard indexes it ({@code preIndex}, IndexShard#index at
   * 3.8.0: on every copy, in recovery and in translog replay). A document that is parsed for other
   * ends never comes here.
   */
  private static final class IndexedDocuments implements IndexingOperationListener {
    @Override
    public Engine.Index preIndex(ShardId shardId, Engine.Index operation) {
      ParsedDocument parsed = operation.parsedDoc();
      if (parsed != null) {
        LogTextFieldMapper.indexed(parsed);
      }
      return operation;
    }
  }
}
