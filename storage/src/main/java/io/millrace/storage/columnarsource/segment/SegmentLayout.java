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
 * <p>Heap: 12 bytes per block (of about 2,048 documents), and {@link DictionaryReader.Layout}.
 *
 * @param firstDocuments of each block, and behind the last one the number of documents
 * @param pointers of each block, and behind the last one the end of the blocks
 * @param textStart where the dictionary's texts begin
 * @param textLength their bytes
 */
public record SegmentLayout(
    int[] firstDocuments,
    long[] pointers,
    DictionaryReader.Layout dictionary,
    long textStart,
    long textLength) {

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
   */
  public static SegmentLayout read(IndexInput in, SegmentInfo segment, long dataStart)
      throws IOException {
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
    int[] shapes = ends(in, 0, SegmentDictionary.MAX_SHAPES);
    int shapesEnd = shapes.length == 0 ? 0 : shapes[shapes.length - 1];
    int[] templates = ends(in, shapesEnd, SegmentDictionary.MAX_TEMPLATES);
    long start = in.getFilePointer();
    long length = templates.length == 0 ? shapesEnd : templates[templates.length - 1];
    if (start + length + CodecUtil.footerLength() != in.length()) {
      throw new CorruptIndexException("dictionary of " + length + " bytes at " + start, in);
    }
    return new SegmentLayout(
        first, pointers, new DictionaryReader.Layout(shapes, templates), start, length);
  }

  private static int[] ends(IndexInput in, int from, int most) throws IOException {
    int count = in.readVInt();
    if (count < 0 || count > most) {
      throw new CorruptIndexException(count + " entries", in);
    }
    int[] ends = new int[count];
    int end = from;
    for (int i = 0; i < count; i++) {
      int length = in.readVInt();
      if (length < 0 || length > SegmentDictionary.MAX_TEXT) {
        throw new CorruptIndexException("entry of " + length + " bytes", in);
      }
      end += length;
      ends[i] = end;
    }
    return ends;
  }
}
