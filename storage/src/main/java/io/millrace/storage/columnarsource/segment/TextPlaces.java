package io.millrace.storage.columnarsource.segment;

import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * Where each of many texts lies that stand one behind the other, of which the file says the
 * lengths. Every {@value #STEP}th place is held; the lengths between are read in the file.
 */
final class TextPlaces {
  private static final int STEP = 32;

  /**
   * One text.
   *
   * @param from its first byte, counted from the first text
   * @param length bytes
   */
  record Place(int from, int length) {}

  private final int count;
  private final int[] texts;
  private final int[] lengths;
  private final int end;

  private TextPlaces(int count, int[] texts, int[] lengths, int end) {
    this.count = count;
    this.texts = texts;
    this.lengths = lengths;
    this.end = end;
  }

  /**
   * Reads the number of the texts and their lengths.
   *
   * @param from where the first of them begins
   * @param base of the places of the lengths in the file
   * @param most entries there may be
   */
  static TextPlaces read(IndexInput in, int from, long base, int most) throws IOException {
    int count = in.readVInt();
    if (count < 0 || count > most) {
      throw new CorruptIndexException(count + " entries", in);
    }
    int[] texts = new int[(count + STEP - 1) / STEP];
    int[] lengths = new int[texts.length];
    int end = from;
    for (int i = 0; i < count; i++) {
      if (i % STEP == 0) {
        texts[i / STEP] = end;
        lengths[i / STEP] = Math.toIntExact(in.getFilePointer() - base);
      }
      int length = in.readVInt();
      if (length < 0 || length > SegmentDictionary.MAX_TEXT) {
        throw new CorruptIndexException("entry of " + length + " bytes", in);
      }
      end += length;
    }
    return new TextPlaces(count, texts, lengths, end);
  }

  int count() {
    return count;
  }

  /** Behind the last text. */
  int end() {
    return end;
  }

  /**
   * Finds one text.
   *
   * @param file from the base that was given to {@link #read}
   */
  Place find(int id, RandomAccessInput file) throws IOException {
    if (id < 0 || id >= count) {
      throw new IndexOutOfBoundsException(id + " of " + count + " entries");
    }
    int from = texts[id / STEP];
    long at = lengths[id / STEP];
    for (int i = id / STEP * STEP; ; i++) {
      int length = 0;
      byte b;
      int shift = 0;
      do {
        b = file.readByte(at++);
        length |= (b & 0x7F) << shift;
        shift += 7;
      } while (b < 0);
      if (i == id) {
        return new Place(from, length);
      }
      from += length;
    }
  }
}
