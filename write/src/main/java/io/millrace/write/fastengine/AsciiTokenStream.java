package io.millrace.write.fastengine;

import java.io.IOException;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.util.AttributeImpl;
import org.apache.lucene.util.AttributeReflector;
import org.apache.lucene.util.BytesRef;

/**
 * The tokens of Lucene's {@code StandardAnalyzer} (no stop words, tokens of at most 255 characters)
 * for ASCII text, straight from bytes to bytes.
 *
 * <p>The word breaks of UAX #29 reduce to six classes of characters below 128: letters, digits, the
 * underscore, {@code .} and {@code '} between two letters or two digits, {@code :} between letters,
 * {@code ,} and {@code ;} between digits. Checked against StandardAnalyzer by AsciiTokenStreamTest.
 * Text with a run of 255 or more token characters is not given to this class ({@link #covers}):
 * there the tokenizer's buffer decides where it cuts.
 *
 * <p>Offsets are not produced: callers use this only for fields that index none.
 */
final class AsciiTokenStream extends TokenStream {
  private static final int LONGEST = 255;
  private static final int KEEP = 64 * 1024;
  private static final byte LETTER = 1;
  private static final byte DIGIT = 2;
  private static final byte UNDERSCORE = 3;
  private static final byte BETWEEN_EQUALS = 4;
  private static final byte BETWEEN_LETTERS = 5;
  private static final byte BETWEEN_DIGITS = 6;
  private static final byte[] CLASS = new byte[128];
  private static final byte[] LOWER = new byte[128];

  static {
    for (int c = 0; c < 128; c++) {
      boolean upper = c >= 'A' && c <= 'Z';
      LOWER[c] = (byte) (upper ? c + ('a' - 'A') : c);
      CLASS[c] = kind(c);
    }
  }

  private final BytesRef token = new BytesRef();
  private final PositionIncrementAttribute increment;
  private byte[] lower = new byte[256];
  private int next;
  private int end;

  AsciiTokenStream() {
    // before the packed default attribute, which would claim to be the term too
    addAttributeImpl(new Term(token));
    increment = addAttribute(PositionIncrementAttribute.class);
  }

  /** Hands out one bytes object, so that moving its bounds is all a token costs. */
  private static final class Term extends AttributeImpl implements TermToBytesRefAttribute {
    private final BytesRef bytes;

    Term(BytesRef bytes) {
      this.bytes = bytes;
    }

    @Override
    public BytesRef getBytesRef() {
      return bytes;
    }

    @Override
    public void clear() {
      bytes.length = 0;
    }

    @Override
    public void copyTo(AttributeImpl target) {
      throw new UnsupportedOperationException("this stream is read by the index writer only");
    }

    @Override
    public void reflectWith(AttributeReflector reflector) {
      reflector.reflect(TermToBytesRefAttribute.class, "bytes", bytes);
    }
  }

  private static byte kind(int c) {
    if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')) {
      return LETTER;
    }
    if (c >= '0' && c <= '9') {
      return DIGIT;
    }
    return switch (c) {
      case '_' -> UNDERSCORE;
      case '.', '\'' -> BETWEEN_EQUALS;
      case ':' -> BETWEEN_LETTERS;
      case ',', ';' -> BETWEEN_DIGITS;
      default -> 0;
    };
  }

  /** Whether the text holds no run of token characters that the tokenizer would cut. */
  static boolean covers(byte[] text, int offset, int length) {
    if (length < LONGEST) {
      return true;
    }
    int run = 0;
    for (int i = offset; i < offset + length; i++) {
      run = CLASS[text[i]] == 0 ? 0 : run + 1;
      if (run >= LONGEST) {
        return false;
      }
    }
    return true;
  }

  /** Sets the text, all of it below 128; it is copied in lower case. */
  void text(byte[] text, int offset, int length) {
    if (lower.length < length) {
      lower = new byte[Math.max(length, 2 * lower.length)];
    }
    byte[] to = lower;
    for (int i = 0; i < length; i++) {
      to[i] = LOWER[text[offset + i]];
    }
    next = 0;
    end = length;
    token.bytes = to;
    token.offset = 0;
    token.length = 0;
  }

  /** A thread may write no further value for long: it keeps no long text until then. */
  @Override
  public void close() throws IOException {
    super.close();
    if (lower.length > KEEP) {
      lower = new byte[256];
    }
  }

  @Override
  public void reset() {
    next = 0;
    increment.setPositionIncrement(1);
  }

  @Override
  public boolean incrementToken() {
    byte[] text = lower;
    int stop = end;
    int p = next;
    while (true) {
      while (p < stop && !isWord(CLASS[text[p]])) {
        p++;
      }
      if (p >= stop) {
        next = p;
        return false;
      }
      int start = p;
      boolean hasWord = false;
      byte last = 0;
      while (p < stop) {
        byte kind = CLASS[text[p]];
        if (isWord(kind)) {
          hasWord |= kind != UNDERSCORE;
          last = kind;
          p++;
        } else if (kind >= BETWEEN_EQUALS
            && p + 1 < stop
            && joins(last, kind, CLASS[text[p + 1]])) {
          p++;
        } else {
          break;
        }
      }
      if (hasWord) {
        token.offset = start;
        token.length = p - start;
        next = p;
        return true;
      }
    }
  }

  private static boolean isWord(byte kind) {
    return kind >= LETTER && kind <= UNDERSCORE;
  }

  private static boolean joins(byte before, byte between, byte after) {
    return before == after
        && (before == LETTER
            ? between != BETWEEN_DIGITS
            : before == DIGIT && between != BETWEEN_LETTERS);
  }

  @Override
  public void end() {
    // as endAttributes() does: nothing was skipped behind the last token
    increment.setPositionIncrement(0);
  }
}
