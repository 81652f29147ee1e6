package io.millrace.search.deadline;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.RunQuery;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.SearchService;
import org.opensearch.search.internal.SearchContext;

/**
 * Puts a {@link DeadlineQuery} around the query of a search that has a {@code timeout} and looks
 * for terms by a pattern. Other queries find their terms at once; they stay as they are, with all
 * the short cuts that stock takes for them.
 */
final class DeadlineListener implements SearchOperationListener {
  final LongAdder saved = new LongAdder();

  private final Switch enabled;

  DeadlineListener(Switch enabled) {
    this.enabled = enabled;
  }

  @Override
  public void onPreQueryPhase(SearchContext context) {
    Query query = context.query();
    if (enabled.on() && query != null && timed(context) && searchesTerms(query)) {
      Runnable ended =
          () -> {
            context.setSearchTimedOut(true);
            saved.increment();
          };
      context.parsedQuery(new RunQuery(context.parsedQuery(), new DeadlineQuery(query, ended)));
    }
  }

  /** As QueryPhase#executeInternal decides it: a scroll has no timeout. */
  private static boolean timed(SearchContext context) {
    return context.scrollContext() == null
        && context.timeout() != null
        && !context.timeout().equals(SearchService.NO_TIMEOUT);
  }

  static boolean searchesTerms(Query query) {
    boolean[] found = new boolean[1];
    query.visit(
        new QueryVisitor() {
          @Override
          public void consumeTermsMatching(
              Query leaf, String field, Supplier<ByteRunAutomaton> automaton) {
            found[0] = true;
          }

          @Override
          public QueryVisitor getSubVisitor(BooleanClause.Occur occur, Query parent) {
            return this; // also of clauses that must not match
          }
        });
    return found[0];
  }
}
