package io.millrace.write.logtext;

import java.io.IOException;
import org.apache.lucene.index.Terms;
import org.apache.lucene.util.BytesRef;

/**
 * The terms of a {@code log_text} field that are no tokens. All begin with a control character,
 * which no token of the log analyzer can hold, and so sort before every token.
 */
final class Reserved {
  /** Starts each position of a template, and so every template. */
  static final byte POSITION = 1;

  /** Inside a template: the whole token at the same position follows. */
  static final byte WHOLE = 2;

  private static final byte FREE_BYTE = 3;

  /** The largest first byte of a reserved term. */
  private static final int LAST = 3;

  /** No token is smaller. */
  static final BytesRef FIRST_TOKEN = new BytesRef(new byte[] {LAST + 1});

  private Reserved() {}

  /** Whether a segment's field was written by log_text: its first term is then a reserved one. */
  static boolean among(Terms terms) throws IOException {
    BytesRef first = terms.getMin();
    return first != null && isReserved(first);
  }

  /** The term of every document that holds a value with tokens and without template. */
  static BytesRef free() {
    return new BytesRef(new byte[] {FREE_BYTE});
  }

  static boolean isReserved(BytesRef term) {
    return term.length > 0 && (term.bytes[term.offset] & 0xff) <= LAST;
  }
}
