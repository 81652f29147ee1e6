package io.millrace.search.timepruning;

import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.opensearch.index.fielddata.fieldcomparator.BytesRefFieldComparatorSource;
import org.opensearch.search.MultiValueMode;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.sort.SortAndFormats;

/** Sorts by terms behind another field, by a {@link LateTermComparator}. */
final class LateTermOrder extends BytesRefFieldComparatorSource {
  private final SortedSetSelector.Type selector;

  private LateTermOrder(SortedSetSelector.Type selector, boolean missingLast) {
    super(
        null,
        missingLast ? "_last" : "_first",
        selector == SortedSetSelector.Type.MAX ? MultiValueMode.MAX : MultiValueMode.MIN,
        null);
    this.selector = selector;
  }

  @Override
  public FieldComparator<?> newComparator(
      String field, int hits, Pruning pruning, boolean reversed) {
    boolean greatest = missingValue(reversed) == SortField.STRING_LAST;
    return new LateTermComparator(field, selector, hits, greatest);
  }

  /**
   * The same order with terms read late, or the sort itself where that changes nothing.
   *
   * <p>The first field stays Lucene's, which passes over documents by it.
   */
  static Sort of(Sort sort) {
    SortField[] fields = sort.getSort().clone();
    for (int i = 1; i < fields.length; i++) {
      if (fields[i].getClass() == SortedSetSortField.class) {
        fields[i] = of((SortedSetSortField) fields[i]);
      }
    }
    return Arrays.equals(fields, sort.getSort()) ? sort : new Sort(fields);
  }

  private static SortField of(SortedSetSortField field) {
    boolean greatest = field.getMissingValue() == SortField.STRING_LAST;
    boolean last = greatest ^ field.getReverse();
    return new SortField(
        field.getField(), new LateTermOrder(field.getSelector(), last), field.getReverse());
  }

  /** Reads late what the hits of a search are sorted by. */
  static void in(SearchContext context) {
    SortAndFormats sort = context.sort();
    if (sort == null || sort.sort.getSort().length < 2 || context.collapse() != null) {
      return;
    }
    Sort late = of(sort.sort);
    if (late != sort.sort && !endsByIndexSort(context, sort.sort)) {
      context.sort(new SortAndFormats(late, sort.formats));
    }
  }

  /** Whether stock may stop in a sorted segment, which it knows by fields that are equal. */
  private static boolean endsByIndexSort(SearchContext context, Sort sort) {
    List<SortField> wanted = List.of(sort.getSort());
    for (LeafReaderContext leaf : context.searcher().getIndexReader().leaves()) {
      Sort index = leaf.reader().getMetaData().sort();
      if (index != null && List.of(index.getSort()).containsAll(wanted)) {
        return true;
      }
    }
    return false;
  }
}
