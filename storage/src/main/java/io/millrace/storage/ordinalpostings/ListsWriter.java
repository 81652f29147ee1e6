package io.millrace.storage.ordinalpostings;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.packed.DirectMonotonicWriter;

/**
 * Writes the lists of one field; {@link OrdinalListsDocValuesFormat} says how they look. The index
 * of frames, 8 bytes for 128 entries, is held in memory until they are written.
 */
final class ListsWriter {
  static final int FRAME_SHIFT = 7;
  static final int FRAME = 1 << FRAME_SHIFT;

  /** 128 differences of one bit. */
  static final int UNIT = FRAME / Byte.SIZE;

  private final String field;
  private final long terms;
  private final SortedPairs pairs;

  private final int[] frame = new int[FRAME];
  private int filled;
  private long units;
  private final ByteBuffersDataOutput index = ByteBuffersDataOutput.newResettableInstance();

  ListsWriter(String field, long terms, SortedPairs pairs) {
    this.field = field;
    this.terms = terms;
    this.pairs = pairs;
  }

  /**
   * From {@code framesStart} on, as the meta data have it.
   *
   * @throws IllegalStateException if an ordinal has no document, or there are more than the field
   *     has terms
   */
  void write(IndexOutput meta, IndexOutput data) throws IOException {
    boolean single = terms == pairs.size();
    long startsStart = data.getFilePointer();
    ByteBuffersDataOutput startsMeta = new ByteBuffersDataOutput();
    if (!single) {
      writeStarts(meta.getName(), startsMeta, data);
    }
    long framesStart = data.getFilePointer();
    SortedPairs.Cursor cursor = pairs.cursor();
    for (long i = 0; cursor.next(); i++) {
      if (single && cursor.ord() != i) {
        throw gap(i);
      }
      frame[filled++] = cursor.doc();
      if (filled == FRAME) {
        writeFrame(data);
      }
    }
    if (filled > 0) {
      writeFrame(data);
    }
    writeIndexEntry(0);
    meta.writeVLong(framesStart);
    meta.writeVLong(data.getFilePointer());
    index.copyTo(data);
    meta.writeByte((byte) (single ? 0 : 1));
    if (!single) {
      meta.writeVLong(startsStart);
      meta.writeVLong(framesStart - startsStart);
      startsMeta.copyTo(meta);
    }
  }

  private void writeStarts(String name, ByteBuffersDataOutput startsMeta, IndexOutput data)
      throws IOException {
    try (var metaOut =
        new org.apache.lucene.store.ByteBuffersIndexOutput(startsMeta, "starts", name)) {
      DirectMonotonicWriter starts =
          DirectMonotonicWriter.getInstance(
              metaOut, data, terms + 1, OrdinalListsDocValuesFormat.STARTS_BLOCK_SHIFT);
      long ord = -1;
      long entry = 0;
      for (SortedPairs.Cursor cursor = pairs.cursor(); cursor.next(); entry++) {
        if (cursor.ord() != ord) {
          if (cursor.ord() != ord + 1) {
            throw gap(ord + 1);
          }
          ord++;
          starts.add(entry);
        }
      }
      if (ord != terms - 1) {
        throw gap(ord + 1);
      }
      starts.add(entry);
      starts.finish();
    }
  }

  private IllegalStateException gap(long ord) {
    return new IllegalStateException(
        "term " + ord + " of " + terms + " of field [" + field + "] has no document");
  }

  private void writeFrame(IndexOutput data) throws IOException {
    int base = Integer.MAX_VALUE;
    int max = 0;
    for (int i = 0; i < filled; i++) {
      base = Math.min(base, frame[i]);
      max = Math.max(max, frame[i]);
    }
    Arrays.fill(frame, filled, FRAME, base);
    int width = Integer.SIZE - Integer.numberOfLeadingZeros(max - base);
    writeIndexEntry(base);
    long word = 0;
    int used = 0;
    for (int doc : frame) {
      long difference = doc - base;
      word |= difference << used;
      used += width;
      if (used >= Long.SIZE) {
        data.writeLong(word);
        used -= Long.SIZE;
        word = used == 0 ? 0 : difference >>> (width - used);
      }
    }
    units += width;
    filled = 0;
  }

  private void writeIndexEntry(int base) {
    if (units > 0xffff_ffffL) {
      throw new IllegalArgumentException("field [" + field + "] has too many values to list");
    }
    index.writeInt(base);
    index.writeInt((int) units);
  }
}
