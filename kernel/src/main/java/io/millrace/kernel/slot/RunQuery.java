package io.millrace.kernel.slot;

import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.query.ParsedQuery;

/**
 * The user's query for highlighting and explanations, another one to run: a context takes both from
 * one object, and asks it exactly once for the latter (DefaultSearchContext#parsedQuery at 3.8.0).
 */
public final class RunQuery extends ParsedQuery {
  private @Nullable Query toRun;

  /**
   * @param asked what the user asked for, with the names of its parts
   * @param toRun finds the same documents with the same scores
   */
  public RunQuery(ParsedQuery asked, Query toRun) {
    super(asked.query(), asked);
    this.toRun = toRun;
  }

  @Override
  public synchronized Query query() {
    Query once = toRun;
    toRun = null;
    return once == null ? super.query() : once;
  }
}
