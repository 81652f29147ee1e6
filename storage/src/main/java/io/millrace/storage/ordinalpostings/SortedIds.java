package io.millrace.storage.ordinalpostings;

import io.millrace.kernel.postings.TermOrder;
import java.util.Arrays;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.EmptyDocValuesProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.ByteBlockPool;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBlockPool;

/**
 * The doc values of a field of ids in a segment that is being written, as a doc values format reads
 * them: it iterates, some times over, and never goes back or seeks.
 */
final class SortedIds extends EmptyDocValuesProducer {
  /** By ordinal: where an id begins in {@link #pool}, which has them in this order. */
  private final int[] texts;

  private final BytesRefBlockPool pool;

  /** Documents with a value, in order. */
  private final int[] documents;

  /** By document in {@link #documents}: where its ordinals end. */
  private final int[] ends;

  private final int[] ords;
  private final int size;
  private final boolean single;

  /**
   * Takes values in the order of their documents.
   *
   * @param from by value: where it begins in the pool
   * @param in by value: its document
   */
  SortedIds(BytesRefBlockPool gathered, int[] from, int[] in, int count) {
    int[] order = TermOrder.of(gathered, from, count);
    int[] ordOf = new int[count];
    int[] starts = new int[count];
    int terms = 0;
    BytesRef id = new BytesRef();
    pool = new BytesRefBlockPool(new ByteBlockPool(new ByteBlockPool.DirectAllocator()));
    for (int number : order) {
      if (number >= 0) {
        gathered.fillBytesRef(id, from[number]);
        starts[terms++] = pool.addBytesRef(id);
        ordOf[number] = terms - 1;
      } else {
        ordOf[~number] = terms - 1;
      }
    }
    texts = terms == count ? starts : Arrays.copyOf(starts, terms);
    documents = new int[count];
    ends = new int[count];
    ords = ordOf;
    int documentsSoFar = 0;
    int kept = 0;
    for (int i = 0; i < count; ) {
      int document = in[i];
      int end = i + 1;
      while (end < count && in[end] == document) {
        end++;
      }
      if (end - i > 1) {
        Arrays.sort(ords, i, end);
      }
      int first = kept;
      for (; i < end; i++) {
        if (kept == first || ords[kept - 1] != ords[i]) {
          ords[kept++] = ords[i];
        }
      }
      documents[documentsSoFar] = document;
      ends[documentsSoFar++] = kept;
    }
    size = documentsSoFar;
    single = kept == size;
  }

  @Override
  public SortedSetDocValues getSortedSet(FieldInfo field) {
    return single ? DocValues.singleton(new One()) : new Several();
  }

  private void id(BytesRef id, int ord) {
    pool.fillBytesRef(id, texts[ord]);
  }

  private final class One extends SortedDocValues {
    private final BytesRef id = new BytesRef();
    private int at = -1;

    @Override
    public int docID() {
      return at < 0 ? -1 : at < size ? documents[at] : NO_MORE_DOCS;
    }

    @Override
    public int nextDoc() {
      at = Math.min(at + 1, size);
      return docID();
    }

    @Override
    public int ordValue() {
      return ords[at];
    }

    @Override
    public BytesRef lookupOrd(int ord) {
      id(id, ord);
      return id;
    }

    @Override
    public int getValueCount() {
      return texts.length;
    }

    @Override
    public long cost() {
      return size;
    }

    @Override
    public int advance(int target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean advanceExact(int target) {
      throw new UnsupportedOperationException();
    }
  }

  private final class Several extends SortedSetDocValues {
    private final BytesRef id = new BytesRef();
    private int at = -1;
    private int next;
    private int end;

    @Override
    public int docID() {
      return at < 0 ? -1 : at < size ? documents[at] : NO_MORE_DOCS;
    }

    @Override
    public int nextDoc() {
      at = Math.min(at + 1, size);
      if (at < size) {
        next = at == 0 ? 0 : ends[at - 1];
        end = ends[at];
      }
      return docID();
    }

    @Override
    public long nextOrd() {
      return ords[next++];
    }

    @Override
    public int docValueCount() {
      return end - (at == 0 ? 0 : ends[at - 1]);
    }

    @Override
    public BytesRef lookupOrd(long ord) {
      id(id, (int) ord);
      return id;
    }

    @Override
    public long getValueCount() {
      return texts.length;
    }

    @Override
    public long cost() {
      return size;
    }

    @Override
    public int advance(int target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean advanceExact(int target) {
      throw new UnsupportedOperationException();
    }
  }
}
