package io.millrace.search.blocksampler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.opensearch.search.aggregations.Aggregator;
import org.opensearch.search.aggregations.LeafBucketCollector;

/**
 * A minimum or maximum of all documents, by the ranges that the doc values' skip list knows: ranges
 * of documents are read from the most promising one on, until none can hold a better value.
 */
final class ExtremeChild {
  /** A range read out of its order costs a scorer of its own; after so many all go in order. */
  private static final int OUT_OF_ORDER = 4;

  private final Aggregator aggregator;
  private final String field;
  private final boolean greatest;
  private boolean any;
  private long best;

  ExtremeChild(Aggregator aggregator, String field, boolean greatest) {
    this.aggregator = aggregator;
    this.field = field;
    this.greatest = greatest;
  }

  Aggregator aggregator() {
    return aggregator;
  }

  private record Range(int from, int to, long bound) {}

  /**
   * Reads what a segment needs.
   *
   * @return false where the segment has no skip list, so that all its documents have to be read
   */
  boolean collect(LeafReaderContext leaf, Weight weight, Runnable check) throws IOException {
    DocValuesSkipper skipper = leaf.reader().getDocValuesSkipper(field);
    if (skipper == null) {
      return leaf.reader().getFieldInfos().fieldInfo(field) == null;
    }
    List<Range> ranges = ranges(skipper);
    if (ranges.isEmpty()) {
      return true;
    }
    Bits live = leaf.reader().getLiveDocs();
    Comparator<Range> byBound = Comparator.comparingLong(Range::bound);
    ranges.sort(greatest ? byBound.reversed() : byBound);
    int taken = 0;
    while (taken < ranges.size() && taken < OUT_OF_ORDER) {
      if (!promises(ranges.get(taken).bound)) {
        return true;
      }
      check.run();
      BulkScorer scorer = weight.bulkScorer(leaf);
      if (scorer == null) {
        return true;
      }
      // doc values only go forwards, here and in the aggregation
      scorer.score(new Values(leaf), live, ranges.get(taken).from, ranges.get(taken).to);
      taken++;
    }
    List<Range> rest = ranges.subList(taken, ranges.size());
    rest.sort(Comparator.comparingInt(Range::from));
    BulkScorer scorer = null;
    Values values = new Values(leaf);
    for (Range range : rest) {
      if (promises(range.bound)) {
        check.run();
        scorer = scorer == null ? weight.bulkScorer(leaf) : scorer;
        if (scorer == null) {
          return true;
        }
        scorer.score(values, live, range.from, range.to);
      }
    }
    return true;
  }

  private List<Range> ranges(DocValuesSkipper skipper) throws IOException {
    List<Range> ranges = new ArrayList<>();
    skipper.advance(0);
    while (skipper.minDocID(0) != DocIdSetIterator.NO_MORE_DOCS) {
      int to = skipper.maxDocID(0) + 1;
      ranges.add(
          new Range(skipper.minDocID(0), to, greatest ? skipper.maxValue(0) : skipper.minValue(0)));
      skipper.advance(to);
    }
    return ranges;
  }

  private boolean promises(long bound) {
    return !any || (greatest ? bound > best : bound < best);
  }

  /** Hands documents on, and keeps the best value. */
  private final class Values implements LeafCollector {
    private final SortedNumericDocValues numbers;
    private final LeafBucketCollector next;

    Values(LeafReaderContext leaf) throws IOException {
      this.numbers = DocValues.getSortedNumeric(leaf.reader(), field);
      this.next = aggregator.getLeafCollector(leaf);
    }

    @Override
    public void setScorer(Scorable scorer) throws IOException {
      next.setScorer(scorer);
    }

    @Override
    public void collect(int doc) throws IOException {
      next.collect(doc, 0);
      if (numbers.advanceExact(doc)) {
        for (int i = 0; i < numbers.docValueCount(); i++) {
          long value = numbers.nextValue();
          if (promises(value)) {
            any = true;
            best = value;
          }
        }
      }
    }
  }
}
