package io.millrace.write.fastengine;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.PreparedDocument;
import io.millrace.kernel.slot.ShardHooks;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentConstraints;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.DocumentMapper;
import org.opensearch.index.mapper.SourceToParse;

/**
 * The fast path of one shard: keeps the plan of the current mapping and asks both switches for
 * every document, so that they work without reopening the index.
 */
final class FastParser implements ShardHooks {
  private static final Logger LOGGER = LogManager.getLogger(FastParser.class);

  /** Longer sources go to stock, which knows what a string may be: 50 MB unless told otherwise. */
  private static final int LONGEST_SOURCE =
      Math.min(10 << 20, XContentConstraints.DEFAULT_MAX_STRING_LEN);

  /** The index's switch as of one settings object; a settings update makes a new object. */
  private record IndexSwitch(@Nullable Settings settings, boolean on) {}

  private final Switch nodeSwitch;
  private final IndexSettings indexSettings;
  private final FastEngineCounters counters;
  private final ThreadLocal<DocumentAssembly> assemblies;
  private volatile IndexSwitch indexSwitch = new IndexSwitch(null, false);
  private volatile @Nullable DocumentPlan plan;

  FastParser(
      Switch nodeSwitch,
      IndexSettings indexSettings,
      FastEngineCounters counters,
      ThreadLocal<DocumentAssembly> assemblies) {
    this.nodeSwitch = nodeSwitch;
    this.indexSettings = indexSettings;
    this.counters = counters;
    this.assemblies = assemblies;
  }

  @Override
  public @Nullable PreparedDocument parse(DocumentMapper mapper, SourceToParse source) {
    if (!nodeSwitch.on() || !onForIndex()) {
      return null;
    }
    DocumentAssembly assembly = assemblies.get();
    Fallback fallback = assemble(assembly, mapper, source);
    if (fallback != null) {
      counters.fallback(fallback);
      return null;
    }
    counters.document();
    return assembly.document();
  }

  private @Nullable Fallback assemble(
      DocumentAssembly assembly, DocumentMapper mapper, SourceToParse source) {
    if (source.getMediaType() != XContentType.JSON) {
      return Fallback.NOT_JSON;
    }
    if (!source.extraFieldValues().isEmpty()) {
      return Fallback.EXTRA_VALUES;
    }
    if (source.source().length() > LONGEST_SOURCE) {
      return Fallback.LIMIT;
    }
    DocumentPlan current = plan;
    if (current == null || current.mapper() != mapper) {
      current = PlanCompiler.compile(mapper, indexSettings);
      counters.plan(current);
      LOGGER.debug("{} {}", indexSettings.getIndex(), current.remark());
      plan = current;
    }
    if (current.root() == null) {
      return Fallback.MAPPING;
    }
    return assembly.assemble(current, source, indexSettings.getMappingDepthLimit());
  }

  /** Why the current plan declines, or what it leaves to stock; empty if it covers everything. */
  String remark() {
    DocumentPlan current = plan;
    return current == null ? "" : current.remark();
  }

  private boolean onForIndex() {
    Settings now = indexSettings.getSettings();
    IndexSwitch known = indexSwitch;
    if (known.settings() != now) {
      known = new IndexSwitch(now, FastEngineFeature.INDEX_ENABLED.get(now));
      indexSwitch = known;
    }
    return known.on();
  }
}
