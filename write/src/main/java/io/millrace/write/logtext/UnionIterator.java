package io.millrace.write.logtext;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.AbstractDocIdSetIterator;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.DisiWrapper;
import org.apache.lucene.search.DisjunctionDISIApproximation;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.util.FixedBitSet;

/**
 * The documents of a few postings, found as they are asked for, a window of documents at a time: a
 * search that stops early reads no more than the windows it came to, and a document costs a bit and
 * no place in a heap. Where a conjunction will ask for few documents, a heap that skips is cheaper
 * ({@link #of}).
 */
final class UnionIterator extends AbstractDocIdSetIterator {
  private static final int WINDOW = 1 << 14;

  /** What a skip in one of the postings costs, in documents of a window. */
  private static final int SKIP = 32;

  private final DocIdSetIterator[] parts;
  private final FixedBitSet window = new FixedBitSet(WINDOW);
  private final long cost;
  private int base; // of the window
  private int end; // the window holds the documents before; all parts stand there or after

  private UnionIterator(List<DocIdSetIterator> parts) {
    this.parts = parts.toArray(new DocIdSetIterator[0]);
    this.cost = parts.stream().mapToLong(DocIdSetIterator::cost).sum();
    this.doc = -1;
  }

  /**
   * The union of iterators that were not moved yet.
   *
   * @param leadCost documents that will be asked for at most, as of ScorerSupplier#get
   */
  static DocIdSetIterator of(List<DocIdSetIterator> parts, long leadCost) {
    if (parts.size() < 2) {
      return parts.isEmpty() ? DocIdSetIterator.empty() : parts.get(0);
    }
    UnionIterator union = new UnionIterator(parts);
    if (leadCost >= union.cost / SKIP / parts.size()) {
      return union;
    }
    List<DisiWrapper> wrapped = new ArrayList<>(parts.size());
    for (DocIdSetIterator part : parts) {
      wrapped.add(
          new DisiWrapper(new ConstantScoreScorer(0, ScoreMode.COMPLETE_NO_SCORES, part), false));
    }
    return new DisjunctionDISIApproximation(wrapped, leadCost);
  }

  @Override
  public int nextDoc() throws IOException {
    return advance(doc + 1);
  }

  @Override
  public int advance(int target) throws IOException {
    if (target < end) {
      int next = window.nextSetBit(target - base, end - base);
      if (next != NO_MORE_DOCS) {
        return doc = base + next;
      }
      return doc = fill(end);
    }
    return doc = fill(target);
  }

  /** Moves the window to the first document from a place on. */
  private int fill(int from) throws IOException {
    int first = NO_MORE_DOCS;
    for (DocIdSetIterator part : parts) {
      int at = part.docID();
      if (at < from) {
        at = part.advance(from);
      }
      first = Math.min(first, at);
    }
    base = first;
    if (first == NO_MORE_DOCS) {
      end = first;
      return first;
    }
    end = (int) Math.min((long) first + WINDOW, NO_MORE_DOCS);
    window.clear();
    for (DocIdSetIterator part : parts) {
      if (part.docID() < end) {
        part.intoBitSet(end, window, base);
      }
    }
    return first;
  }

  @Override
  public void intoBitSet(int upTo, FixedBitSet bits, int offset) throws IOException {
    if (doc >= upTo) {
      return;
    }
    if (doc < end) {
      int until = Math.min(upTo, end);
      FixedBitSet.orRange(window, doc - base, bits, doc - offset, until - doc);
      if (upTo < end) {
        advance(upTo);
        return;
      }
    }
    int next = NO_MORE_DOCS;
    for (DocIdSetIterator part : parts) {
      if (part.docID() < upTo) {
        part.intoBitSet(upTo, bits, offset);
      }
      next = Math.min(next, part.docID());
    }
    doc = next;
    base = next; // no window is needed before somebody walks
    end = next;
  }

  @Override
  public long cost() {
    return cost;
  }
}
