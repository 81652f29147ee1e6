package io.millrace.search.columns;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.SearchOrder;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.plugins.SearchPlugin.SearchExtSpec;

/**
 * Answers of a search as columns: JSON, NDJSON and Arrow.
 *
 * <p>Why: a hit of stock's repeats the name of each field and the text around it, and is parsed out
 * of {@code _source}; who loads rows into a table pays for both sides. Promises: {@code
 * column-answers}, {@code arrow}, {@code result-trimming}.
 */
public final class ColumnsFeature implements Feature {
  static final String ID = "search.columns";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<ByteSizeValue> maxBytes =
      new Knob<>(
          Setting.byteSizeSetting(
              Feature.prefix(ID) + ".max_bytes",
              new ByteSizeValue(64, ByteSizeUnit.MB),
              new ByteSizeValue(1, ByteSizeUnit.KB),
              new ByteSizeValue(1, ByteSizeUnit.GB),
              Property.NodeScope,
              Property.Dynamic),
          "What the columns of one answer may hold on the heap of a shard's node, bytes. A request "
              + "that needs more is refused and says so.");
  private final WholePages pages = new WholePages();
  private final ColumnsPhase phase = new ColumnsPhase(maxBytes, pages);

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "`GET /{index}/_millrace/columns` answers a search with columns: JSON, NDJSON or Arrow";
  }

  @Override
  public List<String> sources() {
    return List.of("column-answers", "result-trimming", "pass-through", "arrow");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(maxBytes);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter("rows", "rows", "Rows whose columns were read on a shard", phase.rows::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.searchExtension(new SearchExtSpec<>(ColumnsExt.NAME, ColumnsExt::new, ColumnsExt::parse));
    hooks.fetchSubPhase(context -> phase);
    hooks.searchListener(SearchOrder.PLAN, new NextRowsListener(pages));
    hooks.rest(new RestColumnsAction(enabled));
  }
}
