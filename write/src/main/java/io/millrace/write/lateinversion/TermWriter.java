package io.millrace.write.lateinversion;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefHash;
import org.jspecify.annotations.Nullable;

/**
 * Writes the terms of a value one after the other, each behind its length (two bytes, the higher
 * first); for one thread.
 *
 * <p>A term may come more than once. Of a value with more than {@link #LONG} bytes of terms each is
 * written once, so that a message of a hundred megabytes takes no more memory than its different
 * words. Nothing of such a value is kept.
 */
final class TermWriter {
  static final int LONG = 64 * 1024;

  private byte[] kept = new byte[1024];
  private byte[] out = kept;
  private int length;
  private @Nullable TokenStream stream;

  /** The terms; valid until the next value is written. */
  BytesRef write(LateTerms value) {
    out = kept;
    length = 0;
    try (TokenStream tokens = value.terms(stream)) {
      stream = tokens;
      TermToBytesRefAttribute attribute = tokens.getAttribute(TermToBytesRefAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        add(attribute.getBytesRef());
        if (length > LONG) {
          onceEach(tokens, attribute);
          break; // the stream is at its end, behind which it must not be asked
        }
      }
      tokens.end();
      return new BytesRef(out, 0, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (out.length <= 2 * LONG) {
        kept = out;
      }
      out = kept;
    }
  }

  private void add(BytesRef term) {
    if (length + Short.BYTES + term.length > out.length) {
      out = ArrayUtil.grow(out, length + Short.BYTES + term.length);
    }
    out[length++] = (byte) (term.length >> 8);
    out[length++] = (byte) term.length;
    System.arraycopy(term.bytes, term.offset, out, length, term.length);
    length += term.length;
  }

  /** Reads the stream to its end and writes what was written, and what comes, anew. */
  private void onceEach(TokenStream tokens, TermToBytesRefAttribute attribute) throws IOException {
    BytesRefHash different = new BytesRefHash();
    BytesRef term = new BytesRef();
    term.bytes = out;
    for (int at = 0; at < length; at = term.offset + term.length) {
      at(term, at);
      different.add(term);
    }
    while (tokens.incrementToken()) {
      different.add(attribute.getBytesRef());
    }
    length = 0;
    for (int i = 0; i < different.size(); i++) {
      add(different.get(i, term));
    }
  }

  /** Bytes of the term that is written at a place; they stand behind the length. */
  static int length(byte[] written, int place) {
    return (written[place] & 0xFF) << 8 | written[place + 1] & 0xFF;
  }

  /** Points to the term that is written at a place of its own bytes. */
  static void at(BytesRef term, int place) {
    term.length = length(term.bytes, place);
    term.offset = place + Short.BYTES;
  }
}
