package io.millrace.write.logtext;

import io.millrace.kernel.text.LittleEndian;
import io.millrace.write.loganalyzer.LogAnalyzer;
import io.millrace.write.loganalyzer.LogScanner;
import io.millrace.write.loganalyzer.LogTokenizer;
import io.millrace.write.loganalyzer.WholeTokens;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.BytesTermAttribute;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.UnicodeUtil;
import org.jspecify.annotations.Nullable;

/**
 * The terms of one value: its template and its variables, or every token after a mark where no
 * template counts. A value without tokens has no terms.
 *
 * <p>Template: for each position {@link Reserved#POSITION} and the part in lower case, or nothing
 * for a part with a digit, a variable (a <em>hole</em>); after the first part of a word without
 * digits {@link Reserved#WHOLE} and the word. It is a list of tokens, not text, so what it holds is
 * read off it without analysis. Parts, words and their order come from {@link LogScanner}, as the
 * analyzer {@code millrace_log_words} sees them.
 *
 * <p>Where a hole nearly always holds the same part ({@link HoleSketch}), a value that has it there
 * is written by a template that holds that part too ({@link #fill}), and has no posting for it. A
 * part that its template holds has no posting of its own, wherever it stands: so no document holds
 * a token by a template and by a posting of the token's own.
 *
 * <p>One pass finds the tokens and writes the template; where it does not count, the tokens are
 * taken from that pass, so that an unknown template costs its hash and one look into the sketch.
 * Where the sketch says that trying is not worth it, tokens are found while Lucene asks for them.
 *
 * <p>Holes for rare words without digits (users, hosts) were tried and left out: see the page.
 *
 * <p>Reused by Lucene for every value that a thread writes to the field; allocates only to grow.
 */
final class LogTextStream extends TokenStream {
  /** Longer templates are not worth one; Lucene's limit for a term is 32,766 bytes. */
  static final int MAX_TEMPLATE_BYTES = 4096;

  private static final int MAX_TOKEN = LogAnalyzer.DEFAULT_MAX_TOKEN_LENGTH;
  private static final int KEEP_CHARS = 64 * 1024;

  private final BytesTermAttribute term = addAttribute(BytesTermAttribute.class);
  private final LogScanner scanner = new LogScanner(MAX_TOKEN);
  private final BytesRef current = new BytesRef(new byte[1024]);
  private final BytesRef free = Reserved.free();
  private final char[] lower = new char[MAX_TOKEN + 1];
  private final byte[] utf8 = new byte[UnicodeUtil.maxUTF8Length(MAX_TOKEN + 1)];
  private char[] text = new char[1024];
  private int length;

  private final AsciiWords words = new AsciiWords();
  private boolean ascii; // the value is in words, too
  private final BytesRef slice = new BytesRef();

  private final byte[] template = new byte[MAX_TEMPLATE_BYTES + AsciiWords.ROOM];
  private final BytesRef templateTerm = new BytesRef(template);
  private final BytesRef fixed = new BytesRef(template);
  private int templateLength;
  // the tokens of a split value: holes stand in the text, all others in the template
  private int[] starts = new int[64];
  private int[] ends = new int[64];
  private boolean[] hole = new boolean[64];
  private long[] values = new long[64]; // hashes of what stands in the holes
  private boolean[] usual = new boolean[64];
  private int tokens;
  private final byte[] filled = new byte[MAX_TEMPLATE_BYTES + AsciiWords.ROOM];
  private final BytesRef filledTerm = new BytesRef(filled);
  private boolean isFilled;
  private final byte[] compared = new byte[1024];

  private boolean split;
  private boolean templated;
  private int next; // -1: template or mark; then the token, or the part of the scanner's word
  private boolean wholePending;

  /**
   * Takes the next value.
   *
   * @param sketch decides whether the template counts; null: it never does
   */
  void set(String value, @Nullable TemplateSketch sketch) {
    take(value);
    split = false;
    templated = false;
    isFilled = false;
    if (sketch != null && sketch.worthATry()) {
      split = split();
      long hash = split ? hash(template, 0, templateLength) : 0;
      templated = sketch.tried(split && sketch.seenBefore(hash));
      isFilled = templated && fill(hash, sketch);
    }
  }

  /**
   * The hash of a value's template, which is kept in indices and must not change; 0 where the value
   * has none. Keeps nothing of a long value.
   */
  long templateOf(String value) {
    take(value);
    long hash = split() ? hash(template, 0, templateLength) : 0;
    scanner.release();
    if (text.length > KEEP_CHARS) {
      text = new char[1024];
    }
    return hash;
  }

  private void take(String value) {
    length = value.length();
    if (text.length < length || text.length > KEEP_CHARS && length < KEEP_CHARS) {
      text = new char[ArrayUtil.oversize(Math.max(length, 1024), Character.BYTES)];
    }
    value.getChars(0, length, text, 0);
    ascii = words.take(text, length);
  }

  /** A thread may write no further value for long: it keeps no long text until then. */
  @Override
  public void close() throws IOException {
    super.close();
    scanner.release();
    if (text.length > KEEP_CHARS) {
      text = new char[1024];
    }
  }

  /** Characters held. */
  int held() {
    return text.length;
  }

  @Override
  public void reset() {
    clearAttributes(); // of what end() set after the value before
    next = -1;
    wholePending = false;
    if (!split) {
      scanner.reset(text, length);
    }
  }

  /** Sets the term and nothing else, so that nothing else has to be cleared for each token. */
  @Override
  public boolean incrementToken() {
    if (next == -1) {
      if (!split && !scanner.nextWord()) {
        return false; // nor a mark: scores count the documents that hold a term of the field
      }
      next = 0;
      templateTerm.length = templateLength;
      term.setBytesRef(isFilled ? filledTerm : templated ? templateTerm : free);
      return true;
    }
    return split ? nextOfSplit() : nextOfText();
  }

  private boolean nextOfSplit() {
    while (templated && next < tokens && !hole[next]) {
      next++;
    }
    if (next == tokens) {
      return false;
    }
    if (hole[next]) {
      emit(starts[next], ends[next]);
    } else {
      fixed.offset = starts[next];
      fixed.length = ends[next] - starts[next];
      term.setBytesRef(fixed);
    }
    next++;
    return true;
  }

  private boolean nextOfText() {
    if (wholePending) {
      wholePending = false;
      emit(scanner.start(0), scanner.end(scanner.parts() - 1));
      return true;
    }
    if (next == scanner.parts()) {
      if (!scanner.nextWord()) {
        return false;
      }
      next = 0;
    }
    emit(scanner.start(next), scanner.end(next));
    wholePending = next == 0 && scanner.hasWhole(WholeTokens.WORDS);
    next++;
    return true;
  }

  private void emit(int start, int end) {
    if (ascii) {
      words.slice(slice, start, end);
      term.setBytesRef(slice);
      return;
    }
    current.length = encode(start, end, current.bytes, 0);
    term.setBytesRef(current);
  }

  /** Finds the tokens and writes the template; false where no template fits. */
  private boolean split() {
    tokens = 0;
    templateLength = 0;
    if (!ascii) {
      return splitText();
    }
    return splitAscii() || !words.sure() && splitText();
  }

  private boolean splitAscii() {
    words.reset();
    while (words.nextWord()) {
      int parts = words.parts();
      for (int i = 0; i < parts; i++) {
        if (!add(Reserved.POSITION, words.start(i), words.end(i), words.hasDigit(i))) {
          return false;
        }
        if (i == 0
            && words.hasWhole()
            && !add(Reserved.WHOLE, words.start(0), words.end(parts - 1), false)) {
          return false;
        }
      }
    }
    return tokens > 0 && words.sure();
  }

  private boolean splitText() {
    tokens = 0;
    templateLength = 0;
    scanner.reset(text, length);
    while (scanner.nextWord()) {
      int parts = scanner.parts();
      for (int i = 0; i < parts; i++) {
        if (!add(Reserved.POSITION, scanner.start(i), scanner.end(i), scanner.hasDigit(i))) {
          return false;
        }
        if (i == 0
            && scanner.hasWhole(WholeTokens.WORDS)
            && !add(Reserved.WHOLE, scanner.start(0), scanner.end(parts - 1), false)) {
          return false;
        }
      }
    }
    return tokens > 0;
  }

  private boolean add(byte mark, int start, int end, boolean variable) {
    if (templateLength + 1 + 3 * (end - start) > MAX_TEMPLATE_BYTES) {
      return false;
    }
    if (tokens == starts.length) {
      starts = Arrays.copyOf(starts, tokens * 2);
      ends = Arrays.copyOf(ends, tokens * 2);
      hole = Arrays.copyOf(hole, tokens * 2);
      values = Arrays.copyOf(values, tokens * 2);
      usual = Arrays.copyOf(usual, tokens * 2);
    }
    template[templateLength++] = mark;
    hole[tokens] = variable;
    if (variable) {
      starts[tokens] = start;
      ends[tokens++] = end;
    } else {
      starts[tokens] = templateLength;
      templateLength = encode(start, end, template, templateLength);
      ends[tokens++] = templateLength;
    }
    return true;
  }

  /** Writes text in lower case as UTF-8; returns where it ends. */
  private int encode(int start, int end, byte[] out, int at) {
    if (ascii) {
      words.copy(start, end - start, out, at);
      return at + end - start;
    }
    for (int i = start; i < end; i++) {
      char c = text[i];
      if (c >= 128) {
        int n = LogTokenizer.lowerCase(text, i, end, lower);
        int bytes = UnicodeUtil.UTF16toUTF8(lower, 0, n, utf8);
        System.arraycopy(utf8, 0, out, at, bytes);
        return at + bytes;
      }
      out[at++] = (byte) (c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    }
    return at;
  }

  /** The hash of a part of the value in small letters. */
  private long hashOf(int start, int end) {
    if (ascii) {
      words.slice(slice, start, end);
      return hash(slice.bytes, start, end - start);
    }
    return hash(current.bytes, 0, encode(start, end, current.bytes, 0));
  }

  private static long hash(byte[] bytes, int from, int length) {
    long h = 0xcbf29ce484222325L ^ length;
    int i = from;
    int end = from + length;
    for (; i + 8 <= end; i += 8) {
      h = (h ^ LittleEndian.getLong(bytes, i)) * 0x9e3779b97f4a7c15L;
      h ^= h >>> 32;
    }
    for (; i < end; i++) {
      h = (h ^ bytes[i]) * 0x100000001b3L;
    }
    return mixed(h);
  }

  private static long mixed(long hash) {
    long h = hash ^ hash >>> 29;
    h *= 0xbf58476d1ce4e5b9L;
    return h ^ h >>> 32;
  }

  /**
   * Puts what the holes nearly always hold into the template, where the value has it there and the
   * template that comes of it counts.
   *
   * @param hash of the template
   */
  private boolean fill(long hash, TemplateSketch sketch) {
    boolean any = false;
    for (int i = 0; i < tokens; i++) {
      if (hole[i]) {
        values[i] = hashOf(starts[i], ends[i]);
        usual[i] = sketch.holes.usual(mixed(hash + 0x9e3779b97f4a7c15L * i), values[i]);
        any |= usual[i];
      } else {
        usual[i] = false;
      }
    }
    if (!any) {
      return false;
    }
    int at = 0;
    for (int i = 0; i < tokens; i++) {
      int from = hole[i] ? 0 : starts[i] - 1; // its mark
      int most = hole[i] ? 1 + 3 * (ends[i] - starts[i]) : ends[i] - from;
      if (at + most > MAX_TEMPLATE_BYTES) {
        return false;
      }
      if (!hole[i]) {
        System.arraycopy(template, from, filled, at, most);
        at += most;
        continue;
      }
      filled[at++] = Reserved.POSITION;
      if (usual[i]) {
        at = encode(starts[i], ends[i], filled, at);
      }
    }
    filledTerm.length = at;
    if (!sketch.seenBefore(hash(filled, 0, at))) {
      return false;
    }
    for (int i = 0; i < tokens; i++) {
      hole[i] = hole[i] && !usual[i] && !isFilledIn(i);
    }
    return true;
  }

  /** Whether what stands in a hole stands in the filled template as well, at another place. */
  private boolean isFilledIn(int token) {
    for (int i = 0; i < tokens; i++) {
      if (usual[i] && values[i] == values[token] && sameToken(i, token)) {
        return true;
      }
    }
    return false;
  }

  private boolean sameToken(int one, int other) {
    int length = encode(starts[one], ends[one], current.bytes, 0);
    int otherLength = encode(starts[other], ends[other], compared, 0);
    return Arrays.equals(current.bytes, 0, length, compared, 0, otherLength);
  }
}
