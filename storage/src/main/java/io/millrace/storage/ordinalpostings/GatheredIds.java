package io.millrace.storage.ordinalpostings;

import io.millrace.kernel.stored.TakenStoredFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Predicate;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.ByteBlockPool;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBlockPool;
import org.apache.lucene.util.Counter;
import org.jspecify.annotations.Nullable;

/**
 * The ids of the segments that a shard is writing, in the order of their documents.
 *
 * <p>Why: Lucene looks each value up in a hash of all values of the segment, which misses the
 * processor's cache for nearly every id, and then sorts them by looks at bytes that lie anywhere.
 * An id is new as a rule, so nothing is gained by looking it up when it comes: {@link SortedIds}
 * finds equal ones when it sorts.
 *
 * <p>Stored fields and doc values of a segment meet here by its {@link SegmentInfo}. Doc values are
 * written before the stored fields are finished (IndexingChain#flush in Lucene 10.5), but after the
 * last document; with an index sort, where stored fields are sorted after that, ids are not
 * gathered. A segment that is given up takes its ids with it.
 */
final class GatheredIds implements TakenStoredFields.Takers {
  private final Predicate<String> fields;
  private final Map<SegmentInfo, Segment> writing =
      Collections.synchronizedMap(new WeakHashMap<>());

  /**
   * @param fields whose stored values are ids; asked once for each field of a segment
   */
  GatheredIds(Predicate<String> fields) {
    this.fields = fields;
  }

  boolean gathers(String field) {
    return fields.test(field);
  }

  @Override
  public TakenStoredFields.Taker open(SegmentInfo segment) {
    Segment ids = new Segment(fields);
    writing.put(segment, ids);
    return ids;
  }

  /**
   * The ids of a field, given once; null if no document of the segment has one. Documents that came
   * with their values as they are, have them here, too.
   *
   * @param lucenes what Lucene has gathered: placeholders, and values that came as they are
   */
  @Nullable SortedIds sorted(SegmentInfo segment, String field, SortedSetDocValues lucenes)
      throws IOException {
    Segment ids = writing.get(segment);
    Field found = ids == null ? null : ids.take(field);
    if (found == null) {
      return null;
    }
    boolean all = lucenes.getValueCount() == 1 && IdValue.isPlaceholder(lucenes.lookupOrd(0));
    return (all ? found : found.and(lucenes)).sorted();
  }

  private static final class Segment implements TakenStoredFields.Taker {
    private static final byte UNKNOWN = 0;
    private static final byte NO = 1;
    private static final byte YES = 2;

    private final Predicate<String> fields;
    private final List<Field> gathered = new ArrayList<>(2);
    private byte[] known = new byte[16]; // by number of a field

    Segment(Predicate<String> fields) {
      this.fields = fields;
    }

    @Override
    public boolean takes(FieldInfo field) {
      int number = field.number;
      if (number >= known.length) {
        known = ArrayUtil.grow(known, number + 1);
      }
      if (known[number] == UNKNOWN) {
        known[number] = fields.test(field.name) ? YES : NO;
      }
      return known[number] == YES;
    }

    @Override
    public void take(FieldInfo field, int document, BytesRef value) {
      Field ids = find(field.name);
      if (ids == null) {
        ids = new Field(field.name);
        gathered.add(ids);
      }
      ids.add(document, value);
    }

    private @Nullable Field find(String name) {
      for (int i = 0; i < gathered.size(); i++) {
        if (gathered.get(i).name.equals(name)) {
          return gathered.get(i);
        }
      }
      return null;
    }

    @Nullable Field take(String name) {
      Field ids = find(name);
      gathered.remove(ids);
      return ids;
    }

    /** What is left is of documents that failed; the segment is known as long as it is open. */
    @Override
    public void finish() {
      gathered.clear();
    }

    @Override
    public long ramBytesUsed() {
      long bytes = 0;
      for (int i = 0; i < gathered.size(); i++) {
        bytes += gathered.get(i).ramBytesUsed();
      }
      return bytes;
    }
  }

  /** The ids of one field. */
  private static final class Field {
    final String name;
    private final Counter poolBytes = Counter.newCounter();
    private final BytesRefBlockPool pool =
        new BytesRefBlockPool(
            new ByteBlockPool(new ByteBlockPool.DirectTrackingAllocator(poolBytes)));
    private int[] documents = new int[64];
    private int[] texts = new int[64];
    private int count;

    Field(String name) {
      this.name = name;
    }

    void add(int document, BytesRef value) {
      if (count == documents.length) {
        int length = ArrayUtil.oversize(count + (count >> 1), Integer.BYTES);
        documents = Arrays.copyOf(documents, length);
        texts = Arrays.copyOf(texts, length);
      }
      documents[count] = document;
      texts[count++] = pool.addBytesRef(value);
    }

    /** With the values that Lucene has of the same documents and of others. */
    Field and(SortedSetDocValues lucenes) throws IOException {
      Field all = new Field(name);
      int next = 0;
      for (int doc = lucenes.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = lucenes.nextDoc()) {
        next = copy(next, doc, all);
        for (int i = lucenes.docValueCount(); i > 0; i--) {
          BytesRef value = lucenes.lookupOrd(lucenes.nextOrd());
          if (!IdValue.isPlaceholder(value)) {
            all.add(doc, value);
          }
        }
      }
      copy(next, DocIdSetIterator.NO_MORE_DOCS, all);
      return all;
    }

    /** Adds the ids up to a document to others; gives the next one. */
    private int copy(int from, int lastDocument, Field to) {
      BytesRef id = new BytesRef();
      int i = from;
      for (; i < count && documents[i] <= lastDocument; i++) {
        pool.fillBytesRef(id, texts[i]);
        to.add(documents[i], id);
      }
      return i;
    }

    SortedIds sorted() {
      return new SortedIds(pool, texts, documents, count);
    }

    long ramBytesUsed() {
      return poolBytes.get() + 2L * Integer.BYTES * documents.length;
    }
  }
}
