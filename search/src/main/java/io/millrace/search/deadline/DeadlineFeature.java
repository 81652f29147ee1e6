package io.millrace.search.deadline;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.SearchOrder;
import java.util.List;

/**
 * The {@code timeout} of a search ends the search for its terms, too, with what was found.
 *
 * <p>Why: stock catches the end of the time while it collects documents. A wildcard or a regular
 * expression over a field of ids spends its time before: the exception then fails the whole request
 * (ContextIndexSearcher#searchLeaf at 3.8.0 asks for the scorer outside of its catch). Promise:
 * {@code deadlines}.
 */
public final class DeadlineFeature implements Feature {
  static final String ID = "search.deadline";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final DeadlineListener listener = new DeadlineListener(enabled);

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "A search whose `timeout` ends while it looks for terms answers what it found, instead "
        + "of failing";
  }

  @Override
  public List<String> sources() {
    return List.of("deadlines");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "saved",
            "segments",
            "Segments of searches whose time ended before the first document, and that were left "
                + "out instead of failing the search",
            listener.saved::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.searchListener(SearchOrder.ACCOUNT, listener);
  }
}
