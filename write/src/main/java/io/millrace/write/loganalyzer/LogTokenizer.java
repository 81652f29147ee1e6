package io.millrace.write.loganalyzer;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionLengthAttribute;

/**
 * Emits the parts of every word of a log line in lower case, and the word as a whole.
 *
 * <p>Positions: each part stands one position after the part before it, across words too. The whole
 * token stands at the position of its word's first part. For the index it has length 1, like a
 * synonym of that part: Lucene's index keeps no lengths, so this is the form in which what was
 * written and what a phrase query asks agree, whether the query names a word or its parts one by
 * one. For search ({@code graph}) it has the honest length, as many positions as the word has
 * parts: then a match query knows that the parts belong together and wants all of them, in order
 * where the field has positions, instead of any of them.
 *
 * <pre>
 * nova.wsgi.server up   ->  position 0: nova.wsgi.server (length 1, or 3 for search), nova
 *                           position 1: wsgi     position 2: server     position 3: up
 * </pre>
 *
 * <p>The text is read into one buffer, which is kept between texts up to {@value #KEEP_CHARS}
 * characters. Whole tokens longer than the maximum are left out.
 */
public final class LogTokenizer extends Tokenizer {
  /** Characters of buffer that survive {@link #close}. */
  static final int KEEP_CHARS = 64 * 1024;

  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final OffsetAttribute offset = addAttribute(OffsetAttribute.class);
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);
  private final PositionLengthAttribute positionLength =
      addAttribute(PositionLengthAttribute.class);

  private final WholeTokens whole;
  private final boolean graph;
  private final LogScanner scanner;
  private char[] buffer = new char[1024];
  private int length;
  private boolean read;
  private int part;
  private boolean wholeEmitted;

  /**
   * @param whole which words get a whole token
   * @param graph whether a whole token is as long as its parts; for search only
   * @param maxTokenLength characters in one token at most
   */
  public LogTokenizer(WholeTokens whole, boolean graph, int maxTokenLength) {
    this.whole = whole;
    this.graph = graph;
    this.scanner = new LogScanner(maxTokenLength);
  }

  @Override
  public boolean incrementToken() throws IOException {
    clearAttributes();
    if (!read) {
      readText();
    }
    if (part == scanner.parts()) {
      if (!scanner.nextWord()) {
        return false;
      }
      part = 0;
      wholeEmitted = false;
      if (scanner.hasWhole(whole)) {
        wholeEmitted = true;
        int last = scanner.parts() - 1;
        emit(scanner.start(0), scanner.end(last));
        if (graph) {
          positionLength.setPositionLength(scanner.parts());
        }
        return true;
      }
    }
    emit(scanner.start(part), scanner.end(part));
    if (part == 0 && wholeEmitted) {
      increment.setPositionIncrement(0);
    }
    part++;
    return true;
  }

  private void emit(int start, int end) {
    int count = end - start;
    char[] target = term.resizeBuffer(count);
    term.setLength(lowerCase(buffer, start, end, target));
    offset.setOffset(correctOffset(start), correctOffset(end));
  }

  /**
   * Copies characters in lower case; as Lucene's LowerCaseFilter does it, one code point for one,
   * so the length stays.
   *
   * @return how many characters were written
   */
  public static int lowerCase(char[] from, int start, int end, char[] to) {
    int n = 0;
    for (int i = start; i < end; ) {
      char c = from[i];
      if (c < 128) {
        to[n++] = c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
        i++;
      } else {
        int code = Character.codePointAt(from, i, end);
        i += Character.charCount(code);
        n += Character.toChars(Character.toLowerCase(code), to, n);
      }
    }
    return n;
  }

  private void readText() throws IOException {
    read = true;
    length = 0;
    int n;
    while ((n = input.read(buffer, length, buffer.length - length)) != -1) {
      length += n;
      if (length == buffer.length) {
        buffer = Arrays.copyOf(buffer, length * 2);
      }
    }
    scanner.reset(buffer, length);
    part = 0;
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    read = false;
    part = 0;
    length = 0;
    scanner.release();
  }

  @Override
  public void end() throws IOException {
    super.end();
    int last = correctOffset(length);
    offset.setOffset(last, last);
  }

  @Override
  public void close() throws IOException {
    super.close();
    read = false; // without reset(), the next use reads the closed input and fails as it must
    part = 0;
    scanner.release();
    if (buffer.length > KEEP_CHARS) {
      buffer = new char[1024];
    }
  }
}
