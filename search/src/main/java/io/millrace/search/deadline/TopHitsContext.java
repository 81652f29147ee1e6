package io.millrace.search.deadline;

import org.opensearch.common.lease.Releasable;
import org.opensearch.search.fetch.FetchPhase;
import org.opensearch.search.fetch.subphase.FetchDocValuesContext;
import org.opensearch.search.fetch.subphase.FetchFieldsContext;
import org.opensearch.search.internal.FilteredSearchContext;
import org.opensearch.search.internal.SearchContext;

/** The context of a search, from which {@code top_hits} takes another fetch phase. */
final class TopHitsContext extends FilteredSearchContext {
  private final SearchContext in;
  private final FetchPhase fetch;

  TopHitsContext(SearchContext in, FetchPhase fetch) {
    super(in);
    this.in = in;
    this.fetch = fetch;
  }

  @Override
  public FetchPhase fetchPhase() {
    return fetch;
  }

  @Override
  public FetchDocValuesContext docValuesContext() {
    return in.docValuesContext();
  }

  @Override
  public SearchContext docValuesContext(FetchDocValuesContext asked) {
    return in.docValuesContext(asked);
  }

  @Override
  public FetchFieldsContext fetchFieldsContext() {
    return in.fetchFieldsContext();
  }

  @Override
  public SearchContext fetchFieldsContext(FetchFieldsContext asked) {
    return in.fetchFieldsContext(asked);
  }

  /** Aggregators are closed with the context that knows them: this one is never closed. */
  @Override
  public void addReleasable(Releasable releasable) {
    in.addReleasable(releasable);
  }

  @Override
  public boolean isSearchTimedOut() {
    return in.isSearchTimedOut();
  }

  @Override
  public void setSearchTimedOut(boolean timedOut) {
    in.setSearchTimedOut(timedOut);
  }
}
