package io.millrace.write.fastengine;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.EngineExtension;
import io.millrace.kernel.slot.ShardHooks;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.translog.InternalTranslogFactory;
import org.opensearch.index.translog.TranslogFactory;

/**
 * Takes the step from JSON to the Lucene document in one pass over the bytes, and leaves to stock
 * what it does not cover; on by default, because no answer changes.
 *
 * <p>Sources: promise lucene-limit; profile of stock 3.8.0: 23 % of the CPU of an asynchronous
 * ingest went into DocumentParser, of that a third into java.time. What it gains is in
 * docs/fast-engine-measured.md, with the command.
 */
public final class FastEngineFeature implements Feature {
  /** Turns the fast path off for one index. */
  public static final Setting<Boolean> INDEX_ENABLED =
      Checked.flag(
          "index.millrace.fast_engine.enabled", true, Property.IndexScope, Property.Dynamic);

  private static final String ID = "write.fast-engine";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final FastEngineCounters counters = new FastEngineCounters();
  private final ThreadLocal<DocumentAssembly> assemblies =
      ThreadLocal.withInitial(DocumentAssembly::new);
  private final ThreadLocal<OperationBytes> operations =
      ThreadLocal.withInitial(OperationBytes::new);

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Documents go from JSON to Lucene in one pass, compiled per mapping";
  }

  @Override
  public List<String> sources() {
    return List.of("lucene-limit");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(
        new Knob<>(INDEX_ENABLED, "`false` gives every document of this index to stock's parser."));
  }

  @Override
  public List<Metric> metrics() {
    return counters.metrics();
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.engine(
        new EngineExtension() {
          @Override
          public boolean wants(IndexSettings settings) {
            // both switches are dynamic, and the engine is chosen only once
            return true;
          }

          @Override
          public EngineConfig configure(EngineConfig config) {
            // a translog in a repository is another class, and stays stock's
            return config.getTranslogFactory().getClass() == InternalTranslogFactory.class
                ? config.toBuilder().translogFactory(translogs()).build()
                : config;
          }

          @Override
          public ShardHooks open(EngineConfig config) {
            return parser(config.getIndexSettings());
          }
        });
  }

  /** What the feature has counted on this node. */
  FastEngineCounters counters() {
    return counters;
  }

  /** What makes the translogs of shards whose translog is on local disk. */
  TranslogFactory translogs() {
    return LeanTranslog.factory(enabled, operations);
  }

  /** The fast path of a shard of the given index. */
  FastParser parser(IndexSettings settings) {
    return new FastParser(enabled, settings, counters, assemblies);
  }
}
