package io.millrace.search.timepruning;

import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/** What {@link NewestFirst} needs to know of the conditions of a query. */
final class Conditions {
  private Conditions() {}

  /**
   * Whether a query may be asked for a few documents first, and then again for all: it looks up
   * postings and values. A wildcard goes through all terms each time. Beside an excluded condition
   * Lucene 10.5.0 counts too much where it finds a range by doc values.
   */
  static boolean areCheap(Query query) {
    if (query instanceof BooleanQuery several) {
      return several.clauses().stream()
          .allMatch(clause -> !clause.isProhibited() && areCheap(clause.query()));
    }
    Query inner = inner(query);
    return inner == null
        ? query instanceof TermQuery
            || query instanceof MatchAllDocsQuery
            || query instanceof FieldExistsQuery
            || range(query) != null
        : areCheap(inner);
  }

  /** Whether a range is left that may be found by doc values. */
  static boolean haveRange(Query query) {
    if (query instanceof BooleanQuery several) {
      return several.clauses().stream().anyMatch(clause -> haveRange(clause.query()));
    }
    Query inner = inner(query);
    return inner == null ? range(query) != null : haveRange(inner);
  }

  /** The greatest value of a field that ranges of it allow. */
  static long latest(Query query, String field) {
    if (query instanceof BooleanQuery several) {
      long latest = Long.MAX_VALUE;
      for (BooleanClause clause : several.clauses()) {
        if (clause.isRequired()) {
          latest = Math.min(latest, latest(clause.query(), field));
        }
      }
      return latest;
    }
    Query inner = inner(query);
    if (inner != null) {
      return latest(inner, field);
    }
    PointRangeQuery range = range(query);
    return range == null || !range.getField().equals(field)
        ? Long.MAX_VALUE
        : NumericUtils.sortableBytesToLong(range.getUpperPoint(), 0);
  }

  private static @Nullable Query inner(Query query) {
    return query instanceof ConstantScoreQuery constant
        ? constant.getQuery()
        : query instanceof BoostQuery boosted ? boosted.getQuery() : null;
  }

  private static @Nullable PointRangeQuery range(Query query) {
    IndexOrDocValuesQuery either = RangesBesideConditions.points(query);
    return either == null ? null : (PointRangeQuery) either.getIndexQuery();
  }
}
