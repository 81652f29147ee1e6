package io.millrace.search.timepruning;

import java.util.List;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.query.DateRangeIncludingNowQuery;
import org.opensearch.search.approximate.ApproximateScoreQuery;

/**
 * Finds the ranges of a query that restrict what another condition finds. A range alone is {@link
 * LoneRange}'s.
 */
final class RangesBesideConditions {
  /** What a range becomes. */
  interface Replacement {
    Query of(IndexOrDocValuesQuery stock, Query values, PointRangeQuery points);
  }

  private final Replacement replacement;

  RangesBesideConditions(Replacement replacement) {
    this.replacement = replacement;
  }

  /** The same query where it has no such range. */
  Query replace(Query query) {
    return excludes(query) ? query : replace(query, false);
  }

  /**
   * Whether something is excluded. Beside an excluded condition Lucene 10.5.0 counts too many
   * documents where it goes by doc values (SkipListRangeFuzz shows it without this check).
   */
  private static boolean excludes(Query query) {
    boolean[] excludes = {false};
    query.visit(
        new QueryVisitor() {
          @Override
          public QueryVisitor getSubVisitor(Occur occur, Query parent) {
            excludes[0] |= occur == Occur.MUST_NOT;
            return this;
          }
        });
    return excludes[0];
  }

  private Query replace(Query query, boolean beside) {
    if (query instanceof BooleanQuery all) {
      return replace(all, beside);
    }
    if (query instanceof ConstantScoreQuery constant) {
      Query inner = replace(constant.getQuery(), beside);
      return inner == constant.getQuery() ? query : new ConstantScoreQuery(inner);
    }
    if (query instanceof BoostQuery boosted) {
      Query inner = replace(boosted.getQuery(), beside);
      return inner == boosted.getQuery() ? query : new BoostQuery(inner, boosted.getBoost());
    }
    return beside ? range(query) : query;
  }

  private Query replace(BooleanQuery query, boolean beside) {
    List<BooleanClause> clauses = query.clauses();
    BooleanQuery.Builder builder =
        new BooleanQuery.Builder().setMinimumNumberShouldMatch(query.getMinimumNumberShouldMatch());
    boolean changed = false;
    for (BooleanClause clause : clauses) {
      Query inner = clause.query();
      if (clause.isRequired()) {
        inner = replace(inner, beside || besideAnother(clause, query));
      }
      changed |= inner != clause.query();
      builder.add(inner, clause.occur());
    }
    return changed ? builder.build() : query;
  }

  /** Whether something else than a range has to hold, too. */
  private static boolean besideAnother(BooleanClause clause, BooleanQuery query) {
    for (BooleanClause other : query.clauses()) {
      if (other != clause
          && (other.isRequired()
              || (other.occur() == Occur.SHOULD && query.getMinimumNumberShouldMatch() > 0))
          && points(other.query()) == null) {
        return true;
      }
    }
    return false;
  }

  /**
   * The range by points or doc values that a query is, whatever stands around it; null for none.
   */
  static @Nullable IndexOrDocValuesQuery points(Query query) {
    Query inner = query;
    if (inner instanceof ApproximateScoreQuery approximate) {
      inner = approximate.getOriginalQuery();
    }
    if (inner instanceof DateRangeIncludingNowQuery now) {
      inner = now.getQuery();
    }
    // an index that is sorted by the field has another query here, which knows its boundaries
    return inner instanceof IndexOrDocValuesQuery either
            && either.getIndexQuery() instanceof PointRangeQuery range
            && range.getNumDims() == 1
            && range.getBytesPerDim() == Long.BYTES
        ? either
        : null;
  }

  private Query range(Query query) {
    IndexOrDocValuesQuery either = points(query);
    return either == null ? query : replaced(either, replacement);
  }

  /** Of a range that {@link #points} gave. */
  static Query replaced(IndexOrDocValuesQuery range, Replacement replacement) {
    return replacement.of(
        range, range.getRandomAccessQuery(), (PointRangeQuery) range.getIndexQuery());
  }
}
