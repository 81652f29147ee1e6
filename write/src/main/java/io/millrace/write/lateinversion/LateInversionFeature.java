package io.millrace.write.lateinversion;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.EngineExtension;
import io.millrace.kernel.slot.ShardCodec;
import io.millrace.kernel.slot.ShardHooks;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.mapper.ParseContext;

/**
 * Terms of log messages are gathered and sorted, not looked up one by one.
 *
 * <p>Why: Lucene looks up every token of every document in one hash for the whole segment, and
 * appends to its postings in memory. Both lie anywhere in tens of megabytes, so that each token
 * waits for the processor's memory several times. Sorting all of them at the end reads and writes
 * in order.
 *
 * <p>Segments are what they were, byte for byte in form: only who inverts differs. So there is
 * nothing to upgrade and no way back to go, and other nodes need not know.
 *
 * <p>Codec and documents change together, when a shard's engine is opened: its segments are begun
 * with one of them, and must be ended with both. Off means that shards opened from then on leave
 * inversion to Lucene.
 */
public final class LateInversionFeature implements Feature {
  private static final String ID = "write.late-inversion";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final LongAdder values = new LongAdder();
  private final ThreadLocal<TermWriter> writers = ThreadLocal.withInitial(TermWriter::new);

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Terms of `log_text` are sorted when a segment is flushed, instead of being looked up one"
        + " by one in Lucene's hash";
  }

  @Override
  public List<String> sources() {
    return List.of("late-inversion");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "values",
            "values",
            "Values whose terms were gathered, since the start of the node",
            values::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.engine(
        new EngineExtension() {
          @Override
          public boolean wants(IndexSettings settings) {
            return enabled.on();
          }

          @Override
          public EngineConfig configure(EngineConfig config) {
            Codec stock = config.getCodec();
            Codec codec = LateCodec.over(stock);
            return codec == stock ? config : ShardCodec.with(config, codec);
          }

          @Override
          public ShardHooks open(EngineConfig config) {
            LateSegments segments = LateCodec.of(config.getCodec());
            return segments == null ? ShardHooks.NONE : gathering(segments);
          }
        });
  }

  private ShardHooks gathering(LateSegments segments) {
    BytesRef placeholder = new BytesRef();
    return new ShardHooks() {
      @Override
      public boolean changesDocuments() {
        return true;
      }

      @Override
      public void indexing(Engine.Index operation) {
        for (ParseContext.Document document : operation.docs()) {
          List<IndexableField> fields = document.getFields();
          for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i) instanceof LateTerms value && value.mayBeLate()) {
              segments.late(value.name());
              fields.set(i, new LateValue(value, placeholder, writers));
              values.increment();
            }
          }
        }
      }
    };
  }
}
