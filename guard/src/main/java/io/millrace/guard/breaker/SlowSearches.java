package io.millrace.guard.breaker;

import io.millrace.guard.phases.Derived;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.MatchAllQueryBuilder;
import org.opensearch.index.query.MatchPhraseQueryBuilder;
import org.opensearch.index.query.MatchQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.RangeQueryBuilder;
import org.opensearch.index.query.TermQueryBuilder;
import org.opensearch.index.query.TermsQueryBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.FieldSortBuilder;
import org.opensearch.search.sort.ScoreSortBuilder;
import org.opensearch.search.sort.SortBuilder;

/**
 * The searches in which one document may take much longer than it takes to find it: scripts,
 * queries that are run for it, distances to many points, many aggregations.
 *
 * <p>Most searches are words, values and ranges, which is seen without a look at their JSON, nor at
 * the outline for which it is kept.
 */
final class SlowSearches {
  /** So many aggregations for each document take longer than finding it. */
  private static final int MANY = 20;

  /** Conditions that are looked at one by one, one within the other. */
  private static final int DEEP = 3;

  private static final Pattern AGGREGATION = Pattern.compile("\"(aggs|aggregations)\"|\"field\"");

  private final Derived<Boolean> slow = new Derived<>(SlowSearches::isSlow);

  private static boolean isSlow(String json) {
    return json.contains("\"script")
        || json.contains("\"_geo_distance")
        || json.contains("\"percolate")
        || AGGREGATION.matcher(json).results().limit(MANY).count() == MANY;
  }

  /** Whether a search is one of them. */
  boolean has(@Nullable SearchSourceBuilder source) {
    return source != null && !isPlain(source) && slow.of(source);
  }

  /**
   * Whether it asks for documents, or their number, by what their fields hold, and nothing else.
   */
  static boolean isPlain(SearchSourceBuilder source) {
    return source.aggregations() == null
        && source.suggest() == null
        && source.highlighter() == null
        && source.collapse() == null
        && source.postFilter() == null
        && source.getDerivedFieldsObject() == null
        && none(source.getDerivedFields())
        && none(source.scriptFields())
        && none(source.docValueFields())
        && none(source.fetchFields())
        && none(source.rescores())
        && none(source.indexBoosts())
        && source.ext().isEmpty()
        && isPlain(source.sorts())
        && isPlain(source.query(), DEEP);
  }

  private static boolean none(@Nullable Collection<?> several) {
    return several == null || several.isEmpty();
  }

  private static boolean isPlain(@Nullable List<SortBuilder<?>> sorts) {
    if (sorts == null) {
      return true;
    }
    for (SortBuilder<?> sort : sorts) {
      boolean byField = sort instanceof FieldSortBuilder field && field.getNestedSort() == null;
      if (!byField && !(sort instanceof ScoreSortBuilder)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(@Nullable QueryBuilder query, int deep) {
    if (query instanceof BoolQueryBuilder several) {
      return deep > 0
          && arePlain(several.must(), deep)
          && arePlain(several.filter(), deep)
          && arePlain(several.should(), deep)
          && arePlain(several.mustNot(), deep);
    }
    return query == null
        || query instanceof TermQueryBuilder
        || query instanceof RangeQueryBuilder
        || query instanceof MatchQueryBuilder
        || query instanceof MatchPhraseQueryBuilder
        || query instanceof TermsQueryBuilder
        || query instanceof MatchAllQueryBuilder;
  }

  private static boolean arePlain(List<QueryBuilder> conditions, int deep) {
    for (QueryBuilder condition : conditions) {
      if (!isPlain(condition, deep - 1)) {
        return false;
      }
    }
    return true;
  }
}
