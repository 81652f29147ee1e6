package io.millrace.storage.columnarsource.segment;

import io.millrace.storage.columnarsource.bytes.SpanTable;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * What a segment's readers share: where the blocks and the dictionary's texts lie.
 *
 * <p>Heap: 12 bytes per block (of about 2,048 documents), 4 per shape, a quarter of a byte per
 * shape and template ({@link TextPlaces}), and shapes in use within a {@link ShapeBudget}.
 *
 * @param firstDocuments of each block, and behind the last one the number of documents
 * @param pointers of each block, and behind the last one the end of the blocks
 * @param dictionaryStart where the numbers, the lengths and the texts of the dictionary begin
 * @param dictionaryLength their bytes
 */
public record SegmentLayout(
    int[] firstDocuments,
    long[] pointers,
    DictionaryReader.Layout dictionary,
    long dictionaryStart,
    long dictionaryLength) {

  /** Blocks of the segment. */
  public int blocks() {
    return pointers.length - 1;
  }

  /** The block of a document. */
  public int blockOf(int document) {
    int found = Arrays.binarySearch(firstDocuments, document);
    return found >= 0 ? found : -found - 2;
  }

  /** Documents of a block. */
  public int documents(int block) {
    return firstDocuments[block + 1] - firstDocuments[block];
  }

  /** Bytes of a block with its checksum. */
  public int length(int block) {
    return (int) (pointers[block + 1] - pointers[block]);
  }

  /** Writes the metadata behind its header. */
  public static void write(
      IndexOutput out,
      int documents,
      int[] counts,
      long[] lengths,
      int blocks,
      SegmentDictionary dictionary)
      throws IOException {
    out.writeVInt(documents);
    out.writeVInt(blocks);
    for (int i = 0; i < blocks; i++) {
      out.writeVInt(counts[i]);
      out.writeVLong(lengths[i]);
    }
    writeLengths(out, dictionary.shapes);
    writeLengths(out, dictionary.templates);
    out.writeBytes(dictionary.shapes.bytes(), 0, dictionary.shapes.textLength());
    out.writeBytes(dictionary.templates.bytes(), 0, dictionary.templates.textLength());
  }

  private static void writeLengths(IndexOutput out, SpanTable table) throws IOException {
    out.writeVInt(table.size());
    for (int i = 0; i < table.size(); i++) {
      out.writeVInt(table.length(i));
    }
  }

  /**
   * Reads the metadata behind its header; the file's checksum was checked before.
   *
   * @param dataStart where the first block begins
   * @param budget for the shapes in use
   */
  public static SegmentLayout read(
      IndexInput in, SegmentInfo segment, long dataStart, ShapeBudget budget) throws IOException {
    int documents = in.readVInt();
    int blocks = in.readVInt();
    if (documents != segment.maxDoc() || blocks < 0 || blocks > documents) {
      throw new CorruptIndexException(
          documents + " documents in " + blocks + " blocks, not " + segment.maxDoc(), in);
    }
    int[] first = new int[blocks + 1];
    long[] pointers = new long[blocks + 1];
    pointers[0] = dataStart;
    for (int i = 0; i < blocks; i++) {
      int count = in.readVInt();
      long length = in.readVLong();
      if (count <= 0 || length <= 0 || length > Integer.MAX_VALUE - 64) {
        throw new CorruptIndexException(
            "block of " + count + " documents, " + length + " bytes", in);
      }
      first[i + 1] = first[i] + count;
      pointers[i + 1] = pointers[i] + length;
    }
    if (first[blocks] != documents) {
      throw new CorruptIndexException(first[blocks] + " documents in blocks", in);
    }
    long start = in.getFilePointer();
    TextPlaces shapes = TextPlaces.read(in, 0, start, SegmentDictionary.MAX_SHAPES);
    TextPlaces templates =
        TextPlaces.read(in, shapes.end(), start, SegmentDictionary.MAX_TEMPLATES);
    int textAt = Math.toIntExact(in.getFilePointer() - start);
    long length = (long) textAt + templates.end();
    if (start + length + CodecUtil.footerLength() != in.length()) {
      throw new CorruptIndexException("dictionary of " + length + " bytes at " + start, in);
    }
    return new SegmentLayout(
        first,
        pointers,
        new DictionaryReader.Layout(shapes, templates, textAt, budget),
        start,
        length);
  }
}
