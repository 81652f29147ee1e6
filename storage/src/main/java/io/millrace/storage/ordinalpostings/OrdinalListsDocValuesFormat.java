package io.millrace.storage.ordinalpostings;

import java.io.IOException;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.codecs.lucene90.Lucene90DocValuesFormat;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.jspecify.annotations.Nullable;

/**
 * Doc values with the documents of every ordinal beside them. This comment is the specification of
 * {@code MillraceOrdinalLists1050}.
 *
 * <h2>Principle</h2>
 *
 * A keyword's doc values already hold a sorted dictionary of all its terms (SORTED_SET: a document
 * has ordinals, an ordinal has a term). Turned round, the same ordinals say which documents hold a
 * term; with that, {@link OrdinalPostingsFormat} needs no terms and no postings of its own. Doc
 * values themselves are the delegate's, unchanged, under this format's suffix.
 *
 * <h2>Files</h2>
 *
 * A <b>list</b> is the documents of one ordinal, ascending. A field's lists, by ordinal and without
 * gaps, are one sequence of <b>entries</b>. Lucene's types; {@code int} and {@code long} are
 * little-endian.
 *
 * <pre>
 * .olm (meta)  Header, Delegate, Field*, int -1, Footer
 *   Header     CodecUtil index header "MillraceOrdinalLists", version 0
 *   Delegate   string: the doc values format that the other files belong to
 *   Field      int number, vlong terms, vlong entries, vint documents,
 *              and if there are terms: Samples, vlong framesStart, vlong indexStart, Starts
 *   Samples    vint length and bytes of a prefix that all terms have (the longest, up to 255
 *              bytes), vlong marksStart, vlong samplesStart
 *   Starts     byte 0 if every list has one entry (then terms = entries), else byte 1,
 *              vlong startsStart, vlong startsLength and the meta data of a DirectMonotonicWriter
 *              with blocks of 2^16
 * .old (data)  Header, (Marks, SamplesData, StartsData, Frames, Index)*, Footer
 *   Header     CodecUtil index header "MillraceOrdinalListsData", version 0
 *   Marks      for each term a byte, the lowest of its MurmurHash3 (32 bits, seed 0), filled up
 *              with zeros to a multiple of 64
 *   SamplesData for each 64th term, from the first: long, the eight bytes after the prefix, the
 *              first of them the highest; a shorter term is filled up with zeros
 *   StartsData terms + 1 values of that DirectMonotonicWriter: where list i starts among the
 *              entries; absent with byte 0
 *   Frames     from framesStart to indexStart: for each 128 entries 128 differences to the
 *              frame's base, each of the frame's width in bits, packed into longs from their low
 *              bits up; the last frame is filled up with zeros
 *   Index      from indexStart: for each frame int base, the smallest document in it, and int
 *              offset, where it starts after framesStart in units of 16 bytes, unsigned; then once
 *              more int 0 and int offset of the end. A frame's width is the difference of its
 *              offset and the next one's: 128 differences of w bits are w units. It is at most 31
 * </pre>
 *
 * A document of a list is read with one look at Starts (or none), one at Index and one at Frames. A
 * list of one random id costs the bits of a document number and half a bit; lists of many documents
 * are near each other and cost less.
 *
 * <p>Samples lead to the block of a term without the doc values' own search: their binary search
 * reads a term of the dictionary at each step, this one a few kilobytes that lie together. A term
 * with the eight bytes of a sample may stand before or after it; then more blocks than one are
 * looked at. Marks say which terms of a block need to be read: most terms that are not there are
 * found missing without decoding anything.
 *
 * <h2>Which fields</h2>
 *
 * Sorted set fields that are also indexed with documents only, without norms, payloads and vectors:
 * {@link #lists}. Others are the delegate's alone and have no Field. The same rule decides in
 * {@link OrdinalPostingsFormat}.
 *
 * <h2>Writing and merging</h2>
 *
 * One pass over the field's (merged) doc values gives pairs in order of documents; {@link
 * SortedPairs} turns them round in bounded memory, with a temporary file if they are many. A merge
 * therefore costs one more pass over values that it reads anyway, with or without deletions and
 * index sort, and gives the same bytes as a flush of the same documents.
 *
 * <h2>Damage</h2>
 *
 * All meta data are under a checksum that is verified when a segment is opened. {@code
 * checkIntegrity} (merges, recoveries, snapshots, CheckIndex) verifies the data. A reader that did
 * not ask for it may show wrong documents after flipped bits, as with Lucene's postings, but none
 * that the segment does not have.
 *
 * <h2>Limits</h2>
 *
 * 2<sup>32</sup> terms and 2<sup>36</sup> bytes of frames in a field of a segment.
 */
public final class OrdinalListsDocValuesFormat extends DocValuesFormat {
  static final String NAME = "MillraceOrdinalLists1050";
  static final String META_EXTENSION = "olm";
  static final String DATA_EXTENSION = "old";
  static final String META_CODEC = "MillraceOrdinalLists";
  static final String DATA_CODEC = "MillraceOrdinalListsData";
  static final int VERSION = 0;
  static final int STARTS_BLOCK_SHIFT = 16;

  private final DocValuesFormat delegate;
  private final int capacity;
  private final @Nullable GatheredIds ids;

  /** For Lucene's registry: reads whatever delegate a segment names, writes with Lucene's own. */
  public OrdinalListsDocValuesFormat() {
    this(new Lucene90DocValuesFormat());
  }

  /** Writes lists, and the doc values with another format. */
  public OrdinalListsDocValuesFormat(DocValuesFormat delegate) {
    this(delegate, null);
  }

  /**
   * @param ids has the values of some fields in new segments, where Lucene has placeholders; null
   *     if there are none such
   */
  OrdinalListsDocValuesFormat(DocValuesFormat delegate, @Nullable GatheredIds ids) {
    this(delegate, SortedPairs.CAPACITY, ids);
  }

  /**
   * @param capacity how many pairs are sorted in memory
   */
  OrdinalListsDocValuesFormat(DocValuesFormat delegate, int capacity, @Nullable GatheredIds ids) {
    super(NAME);
    this.delegate = delegate;
    this.capacity = capacity;
    this.ids = ids;
  }

  /** Whether a field's documents can be listed by the ordinals of its doc values, and no more. */
  static boolean lists(FieldInfo field) {
    return field.getDocValuesType() == DocValuesType.SORTED_SET
        && field.getIndexOptions() == IndexOptions.DOCS
        && field.omitsNorms()
        && !field.hasPayloads()
        && !field.hasTermVectors();
  }

  @Override
  public DocValuesConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    return new OrdinalListsConsumer(state, delegate, capacity, ids);
  }

  @Override
  public DocValuesProducer fieldsProducer(SegmentReadState state) throws IOException {
    return OrdinalListsProducer.open(state);
  }
}
