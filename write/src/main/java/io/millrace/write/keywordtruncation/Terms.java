package io.millrace.write.keywordtruncation;

import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.BytesRef;

/** The length that a term may have. */
final class Terms {
  /** 32,766 bytes: what Lucene accepts, in the inverted index as well as in sorted doc values. */
  static final int MAX_BYTES = IndexWriter.MAX_TERM_LENGTH;

  private Terms() {}

  /**
   * The longest beginning of UTF-8 text that is a legal term and ends with a whole character;
   * shares the bytes. In bytes that are no UTF-8 at most three are given up.
   */
  static BytesRef truncate(BytesRef value) {
    if (value.length <= MAX_BYTES) {
      return value;
    }
    int length = MAX_BYTES;
    for (int back = 0; back < 3 && isContinuation(value.bytes[value.offset + length]); back++) {
      length--;
    }
    return new BytesRef(value.bytes, value.offset, length);
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xC0) == 0x80;
  }
}
