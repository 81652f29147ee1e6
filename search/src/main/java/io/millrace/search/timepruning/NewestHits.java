package io.millrace.search.timepruning;

import java.util.Objects;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.DateFieldMapper.DateFieldType;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.sort.SortAndFormats;

/**
 * What a search for the newest hits asks for.
 *
 * @param field the date by which the hits are sorted first, the newest first
 * @param hits how many hits it wants
 * @param counted up to how many matches it wants to know: {@link
 *     SearchContext#TRACK_TOTAL_HITS_DISABLED} for none, {@link
 *     SearchContext#TRACK_TOTAL_HITS_ACCURATE} for all
 * @param after the time of the hit behind which it goes on; the greatest number where it begins
 */
record NewestHits(String field, int hits, int counted, long after) {

  /**
   * Null where a search wants other hits, or more of the matches than hits and their number.
   *
   * @param kept up to how many hits of a shard stock keeps for other searches where a search does
   *     not say whether it may
   */
  static @Nullable NewestHits of(SearchContext context, int kept) {
    SortAndFormats sort = context.sort();
    if (sort == null
        || context.size() < 1
        || context.aggregations() != null
        || context.trackScores()
        || context.scrollContext() != null
        || context.collapse() != null
        || context.parsedPostFilter() != null
        || context.minimumScore() != null
        || context.terminateAfter() != SearchContext.DEFAULT_TERMINATE_AFTER
        || !context.rescore().isEmpty()
        // what is kept for other searches is kept before its number of matches is put right
        || isKept(context, kept)) {
      return null;
    }
    // documents without the field come last, and of several values the newest one counts
    if (!(sort.sort.getSort()[0] instanceof SortedNumericSortField first)
        || !first.getReverse()
        || first.getNumericType() != SortField.Type.LONG
        || first.getSelector() != SortedNumericSelector.Type.MAX
        || !Objects.equals(first.getMissingValue(), Long.MIN_VALUE)) {
      return null;
    }
    long after = Long.MAX_VALUE;
    FieldDoc cursor = context.searchAfter();
    if (cursor != null) {
      if (!(cursor.fields[0] instanceof Long time)) {
        return null;
      }
      after = time;
    }
    MappedFieldType type = context.mapperService().fieldType(first.getField());
    return type instanceof DateFieldType
            && type.isSearchable()
            && type.name().equals(first.getField())
        ? new NewestHits(
            type.name(), context.from() + context.size(), context.trackTotalHitsUpTo(), after)
        : null;
  }

  /** As IndicesService#canCache at 3.8.0 decides it, or more. */
  private static boolean isKept(SearchContext context, int kept) {
    Boolean asked = context.request().requestCache();
    return asked == null ? context.size() <= kept : asked;
  }

  /** Whether the search goes on behind a hit. */
  boolean goesOn() {
    return after != Long.MAX_VALUE;
  }

  /** Whether the number of all matches is asked for, or up to a number. */
  boolean counts() {
    return counted != SearchContext.TRACK_TOTAL_HITS_DISABLED;
  }

  /** Whether it does not suffice to know that there are more than a number of matches. */
  boolean countsAll() {
    return counted == SearchContext.TRACK_TOTAL_HITS_ACCURATE;
  }
}
