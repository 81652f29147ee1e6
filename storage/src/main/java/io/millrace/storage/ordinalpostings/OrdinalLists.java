package io.millrace.storage.ordinalpostings;

import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.LongValues;
import org.apache.lucene.util.packed.DirectMonotonicReader;
import org.jspecify.annotations.Nullable;

/**
 * The lists of one field of one segment, as {@link OrdinalListsDocValuesFormat} specifies them.
 * Immutable; each thread reads through a {@link Reader} of its own.
 */
final class OrdinalLists {
  private static final int INDEX_ENTRY = 2 * Integer.BYTES;

  private final IndexInput data;
  private final int maxDoc;
  final long terms;
  final long entries;
  final int documents;
  private final BytesRef prefix;
  private final long marksStart;
  private final long samplesStart;
  private final long framesStart;
  private final long indexStart;
  private final long startsStart;
  private final long startsLength;
  private final DirectMonotonicReader.@Nullable Meta startsMeta;

  private OrdinalLists(FieldInfo field, int maxDoc, IndexInput meta, IndexInput data)
      throws IOException {
    this.data = data;
    this.maxDoc = maxDoc;
    terms = meta.readVLong();
    entries = meta.readVLong();
    documents = meta.readVInt();
    if (documents < 0 || documents > maxDoc || entries < terms || entries < documents) {
      throw new CorruptIndexException(
          "field ["
              + field.name
              + "]: "
              + terms
              + " terms, "
              + entries
              + " entries, "
              + documents
              + " of "
              + maxDoc
              + " documents",
          meta);
    }
    if (terms == 0) {
      marksStart = samplesStart = framesStart = indexStart = startsStart = startsLength = 0;
      prefix = new BytesRef();
      startsMeta = null;
      return;
    }
    int prefixLength = meta.readVInt();
    if (prefixLength < 0 || prefixLength > TermSamples.MAX_PREFIX) {
      throw new CorruptIndexException(
          "a prefix of " + prefixLength + " bytes in field [" + field.name + "]", meta);
    }
    prefix = new BytesRef(new byte[prefixLength], 0, prefixLength);
    meta.readBytes(prefix.bytes, 0, prefixLength);
    marksStart = meta.readVLong();
    samplesStart = meta.readVLong();
    framesStart = meta.readVLong();
    indexStart = meta.readVLong();
    if (meta.readByte() == 0) {
      startsStart = startsLength = 0;
      startsMeta = null;
    } else {
      startsStart = meta.readVLong();
      startsLength = meta.readVLong();
      startsMeta =
          DirectMonotonicReader.loadMeta(
              meta, terms + 1, OrdinalListsDocValuesFormat.STARTS_BLOCK_SHIFT);
    }
    if (framesStart > indexStart
        || marksStart + marksLength() > data.length()
        || samplesStart + samplesLength() > data.length()
        || indexStart + indexLength() > data.length()
        || startsStart + startsLength > data.length()
        || (startsMeta == null && terms != entries)) {
      throw new CorruptIndexException(
          "lists of field [" + field.name + "] do not lie in their file", meta);
    }
  }

  static OrdinalLists read(FieldInfo field, int maxDoc, IndexInput meta, IndexInput data)
      throws IOException {
    return new OrdinalLists(field, maxDoc, meta, data);
  }

  private long indexLength() {
    return (entries + ListsWriter.FRAME - 1 >> ListsWriter.FRAME_SHIFT) * INDEX_ENTRY + INDEX_ENTRY;
  }

  private long samplesLength() {
    return TermSamples.blocks(terms) * Long.BYTES;
  }

  private long marksLength() {
    return TermSamples.blocks(terms) << TermSamples.BLOCK_SHIFT;
  }

  /** Where terms stand, for one thread. */
  TermSamples samples() throws IOException {
    return new TermSamples(
        prefix,
        data.randomAccessSlice(marksStart, marksLength()),
        data.randomAccessSlice(samplesStart, samplesLength()),
        terms);
  }

  /** Where lists start, for one thread; null if every list has one entry. */
  private @Nullable LongValues starts() throws IOException {
    return startsMeta == null
        ? null
        : DirectMonotonicReader.getInstance(
            startsMeta, data.randomAccessSlice(startsStart, startsLength));
  }

  /** A reader for one thread. */
  Reader reader() throws IOException {
    return new Reader();
  }

  /** Looks entries up, one frame at hand. */
  final class Reader {
    private final @Nullable LongValues starts;

    /** Frames and index: a difference is read with seven bytes too many, of the index at last. */
    private final RandomAccessInput in;

    private long frame = -1;
    private long frameAt;
    private int base;
    private int width;
    private long mask;

    private Reader() throws IOException {
      starts = starts();
      in = data.randomAccessSlice(framesStart, indexStart - framesStart + indexLength());
    }

    OrdinalLists lists() {
      return OrdinalLists.this;
    }

    /** The first entry of the list of an ordinal; of the ordinal after the last, their number. */
    long start(long ord) {
      return starts == null ? ord : starts.get(ord);
    }

    /**
     * The document of an entry.
     *
     * @throws CorruptIndexException if the segment has no such document
     */
    int document(long entry) throws IOException {
      if (entry >>> ListsWriter.FRAME_SHIFT != frame) {
        open(entry >>> ListsWriter.FRAME_SHIFT);
      }
      long bit = (entry & ListsWriter.FRAME - 1) * width;
      long difference = in.readLong(frameAt + (bit >>> 3)) >>> (bit & 7) & mask;
      long document = base + difference;
      if (document < 0 || document >= maxDoc) {
        throw new CorruptIndexException(
            "document " + document + " in a segment of " + maxDoc, data);
      }
      return (int) document;
    }

    private void open(long wanted) throws IOException {
      frame = -1;
      long at = indexStart - framesStart + wanted * INDEX_ENTRY;
      base = in.readInt(at);
      long unit = in.readInt(at + Integer.BYTES) & 0xffff_ffffL;
      long bits = (in.readInt(at + INDEX_ENTRY + Integer.BYTES) & 0xffff_ffffL) - unit;
      frameAt = unit * ListsWriter.UNIT;
      if (bits < 0
          || bits >= Integer.SIZE
          || frameAt + bits * ListsWriter.UNIT > indexStart - framesStart) {
        throw new CorruptIndexException("frame " + wanted + " of " + bits + " bits", data);
      }
      width = (int) bits;
      mask = (1L << width) - 1;
      frame = wanted;
    }
  }
}
