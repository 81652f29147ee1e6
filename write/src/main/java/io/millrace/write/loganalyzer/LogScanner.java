package io.millrace.write.loganalyzer;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import org.apache.lucene.analysis.standard.StandardTokenizerImpl;

/**
 * Finds the words of a log line and the parts of each word.
 *
 * <p>A <em>part</em> is a run of ASCII letters and digits. A <em>word</em> is a chain of parts with
 * one to three joiners between them: {@code . _ - / \ : @ $ # =}. So {@code
 * nova.osapi_compute.wsgi} is one word of four parts, {@code 10.11.10.1} one of four, {@code
 * status=500} one of two. Runs that hold a character beyond ASCII are cut by Lucene's UAX#29
 * grammar ({@link StandardTokenizerImpl}, the one StandardTokenizer uses); a run that this grammar
 * sees as one token ({@code café}) is a part like any other, a run of several (ideographs) is a
 * word of one part for each.
 *
 * <p>A part longer than the maximum is cut into pieces of that length, as StandardTokenizer does; a
 * word ends after {@value #MAX_PARTS} parts, so that hostile input ({@code a.a.a.a...}) needs no
 * memory.
 *
 * <p>The scanner allocates nothing after its first use, keeps no reference to a text after {@link
 * #release}, and gives the same words for the same text always: {@code log_text} splits with it at
 * index time and must agree with the analyzer at search time. Not thread-safe.
 */
public final class LogScanner {
  /** Parts in one word at most. */
  public static final int MAX_PARTS = 64;

  private static final int MAX_JOINERS = 3;
  private static final byte OTHER = 0;
  private static final byte LETTER = 1;
  private static final byte DIGIT = 2;
  private static final byte JOINER = 3;
  private static final byte BEYOND_ASCII = 4;
  private static final char[] NOTHING = new char[0];
  private static final byte[] KINDS = new byte[128];

  static {
    for (char c = 'a'; c <= 'z'; c++) {
      KINDS[c] = LETTER;
      KINDS[Character.toUpperCase(c)] = LETTER;
    }
    for (char c = '0'; c <= '9'; c++) {
      KINDS[c] = DIGIT;
    }
    for (char c : "._-/\\:@$#=".toCharArray()) {
      KINDS[c] = JOINER;
    }
  }

  private final int maxTokenLength;
  private final SliceReader slice = new SliceReader();
  private final StandardTokenizerImpl grammar = new StandardTokenizerImpl(slice);

  private char[] text = NOTHING;
  private int length;
  private int position;

  private final int[] starts = new int[MAX_PARTS];
  private final int[] ends = new int[MAX_PARTS];
  private final boolean[] digits = new boolean[MAX_PARTS];
  private int parts;

  private boolean inRun; // the grammar stands before the token below
  private int runStart;
  private int tokenStart;
  private int tokenEnd;

  /**
   * @param maxTokenLength characters in one token at most
   */
  public LogScanner(int maxTokenLength) {
    this.maxTokenLength = maxTokenLength;
    grammar.setBufferSize(maxTokenLength);
  }

  /** Whether what stands between two parts of a text of ASCII makes them parts of one word. */
  public static boolean join(byte[] text, int from, int to) {
    if (to - from > MAX_JOINERS) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (KINDS[text[i]] != JOINER) {
        return false;
      }
    }
    return true;
  }

  /** Starts over with a text, which must not change while it is scanned. */
  public void reset(char[] newText, int newLength) {
    text = newText;
    length = newLength;
    position = 0;
    parts = 0;
    inRun = false;
  }

  /** Forgets the text. */
  public void release() {
    reset(NOTHING, 0);
    slice.set(NOTHING, 0, 0);
  }

  /** Moves to the next word; false at the end of the text. */
  public boolean nextWord() {
    parts = 0;
    if (inRun) {
      takeToken();
      return true;
    }
    int joiners = 0;
    while (position < length) {
      byte kind = kindOf(text[position]);
      if (kind == LETTER || kind == DIGIT || kind == BEYOND_ASCII) {
        if (!takeRun()) {
          if (parts > 0) {
            return true;
          }
          if (inRun) {
            takeToken();
            return true;
          }
        }
        joiners = 0;
        if (parts == MAX_PARTS) {
          return true;
        }
      } else {
        if (parts > 0 && (kind != JOINER || ++joiners > MAX_JOINERS)) {
          position++;
          return true;
        }
        position++;
      }
    }
    return parts > 0;
  }

  /** Parts in the current word, at least one. */
  public int parts() {
    return parts;
  }

  /** Where part {@code i} starts in the text. */
  public int start(int i) {
    return starts[i];
  }

  /** Where part {@code i} ends, exclusive. */
  public int end(int i) {
    return ends[i];
  }

  /** Whether part {@code i} holds a decimal digit of any script. */
  public boolean hasDigit(int i) {
    return digits[i];
  }

  /** Whether any part of the word holds a digit. */
  public boolean wordHasDigit() {
    for (int i = 0; i < parts; i++) {
      if (digits[i]) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the current word also gets a token as a whole: it has several parts, is no longer than
   * a token may be, and is one of those asked for.
   */
  public boolean hasWhole(WholeTokens which) {
    return parts > 1
        && which != WholeTokens.NONE
        && ends[parts - 1] - starts[0] <= maxTokenLength
        && (which == WholeTokens.ALL || !wordHasDigit());
  }

  private byte kindOf(char c) {
    return c < 128 ? KINDS[c] : BEYOND_ASCII;
  }

  /**
   * Takes the run at the position into the word. False when the run is more or less than one token:
   * then its tokens become words of their own, after the word that ends here.
   */
  private boolean takeRun() {
    int start = position;
    int i = start;
    boolean digit = false;
    boolean ascii = true;
    while (i < length && !(ascii && i - start == maxTokenLength)) {
      byte kind = kindOf(text[i]);
      if (kind == OTHER || kind == JOINER) {
        break;
      }
      digit |= kind == DIGIT;
      ascii &= kind != BEYOND_ASCII;
      i++;
    }
    if (ascii) {
      add(start, i, digit);
      position = i;
      return true;
    }
    slice.set(text, start, i);
    grammar.yyreset(slice);
    runStart = start;
    position = i;
    if (!nextInRun()) {
      return false;
    }
    if (tokenStart == start && tokenEnd == i) {
      inRun = false;
      add(start, i, anyDigit(start, i));
      return true;
    }
    return false;
  }

  private boolean nextInRun() {
    try {
      inRun = grammar.getNextToken() != StandardTokenizerImpl.YYEOF;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (inRun) {
      tokenStart = runStart + grammar.yychar();
      tokenEnd = tokenStart + grammar.yylength();
    }
    return inRun;
  }

  private boolean anyDigit(int from, int to) {
    for (int i = from; i < to; ) {
      int c = Character.codePointAt(text, i, to);
      if (Character.isDigit(c)) {
        return true;
      }
      i += Character.charCount(c);
    }
    return false;
  }

  private void add(int start, int end, boolean digit) {
    starts[parts] = start;
    ends[parts] = end;
    digits[parts++] = digit;
  }

  private void takeToken() {
    add(tokenStart, tokenEnd, anyDigit(tokenStart, tokenEnd));
    nextInRun();
  }

  /** A part of the text as the reader that the grammar wants. */
  private static final class SliceReader extends Reader {
    private char[] chars = NOTHING;
    private int at;
    private int limit;

    void set(char[] newChars, int from, int to) {
      chars = newChars;
      at = from;
      limit = to;
    }

    @Override
    public int read(char[] target, int offset, int count) {
      if (at == limit) {
        return -1;
      }
      int n = Math.min(count, limit - at);
      System.arraycopy(chars, at, target, offset, n);
      at += n;
      return n;
    }

    @Override
    public void close() {}
  }
}
