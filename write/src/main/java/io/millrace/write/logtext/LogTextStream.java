package io.millrace.write.logtext;

import io.millrace.write.loganalyzer.LogAnalyzer;
import io.millrace.write.loganalyzer.LogScanner;
import io.millrace.write.loganalyzer.LogTokenizer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.BytesTermAttribute;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.UnicodeUtil;
import org.jspecify.annotations.Nullable;

/**
 * The terms of one value: its template and its variables, or every token after a mark where no
 * template counts.
 *
 * <p>Template: for each position {@link Reserved#POSITION} and the part in lower case, or nothing
 * for a variable (a <em>hole</em>); after the first part of a word without digits {@link
 * Reserved#WHOLE} and the word, or nothing where the word is variable. It is a list of tokens, not
 * text, so what it holds is read off it without analysis. Parts, words and their order come from
 * {@link LogScanner}, as the analyzer {@code millrace_log_words} sees them.
 *
 * <p>Two templates are tried: the fine one, whose holes are the parts with digits; where that is
 * not known to come again, the coarse one, whose holes are the rare parts too (users, hosts and
 * names without digits).
 *
 * <p>Reused by Lucene for every value that a thread writes to the field; allocates only to grow.
 */
final class LogTextStream extends TokenStream {
  /** Longer templates are not worth one; Lucene's limit for a term is 32,766 bytes. */
  static final int MAX_TEMPLATE_BYTES = 4096;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
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

  private final byte[] template = new byte[MAX_TEMPLATE_BYTES];
  private final BytesRef templateTerm = new BytesRef(template);
  private int templateLength;
  // the parts of the text, and the word that starts with each
  private int[] starts = new int[64];
  private int[] ends = new int[64];
  private int[] wordEnds = new int[64]; // 0: no whole token starts here
  private int[] words = new int[64]; // index of the first part of the part's word
  private boolean[] variable = new boolean[64];
  private int[] hashes = new int[64];
  private int parts;

  // the variables in the order of the template: parts and whole words
  private int[] holeStarts = new int[64];
  private int[] holeEnds = new int[64];
  private int holes;

  private boolean templated;
  private int next; // -1: template or mark; then the hole, or the part of the scanner's word
  private boolean wholePending;

  /**
   * Takes the next value.
   *
   * @param sketch decides whether the template counts; null: it never does
   */
  void set(String value, @Nullable TemplateSketch sketch) {
    length = value.length();
    if (text.length < length || text.length > KEEP_CHARS && length < KEEP_CHARS) {
      text = new char[ArrayUtil.oversize(Math.max(length, 1024), Character.BYTES)];
    }
    value.getChars(0, length, text, 0);
    templated = sketch != null && sketch.worthATry() && sketch.tried(chooseTemplate(sketch));
  }

  @Override
  public void reset() {
    next = -1;
    wholePending = false;
    if (!templated) {
      scanner.reset(text, length);
    }
  }

  @Override
  public boolean incrementToken() {
    clearAttributes();
    if (templated) {
      return nextOfTemplate();
    }
    if (next == -1) {
      next = 0;
      term.setBytesRef(free);
      return true;
    }
    return nextOfText();
  }

  private boolean nextOfTemplate() {
    if (next == holes) {
      return false;
    }
    if (next == -1) {
      templateTerm.length = templateLength;
      term.setBytesRef(templateTerm);
    } else {
      emit(holeStarts[next], holeEnds[next]);
      term.setBytesRef(current);
    }
    next++;
    return true;
  }

  private boolean nextOfText() {
    if (wholePending) {
      wholePending = false;
      emit(scanner.start(0), scanner.end(scanner.parts() - 1));
    } else {
      if (next == scanner.parts()) {
        if (!scanner.nextWord()) {
          return false;
        }
        next = 0;
        wholePending = hasWhole();
      }
      emit(scanner.start(next), scanner.end(next));
      next++;
    }
    term.setBytesRef(current);
    return true;
  }

  private boolean hasWhole() {
    int parts = scanner.parts();
    return parts > 1
        && scanner.end(parts - 1) - scanner.start(0) <= MAX_TOKEN
        && !scanner.wordHasDigit();
  }

  private void emit(int start, int end) {
    current.length = encode(start, end, current.bytes, 0);
  }

  private boolean chooseTemplate(TemplateSketch sketch) {
    if (!split()) {
      return false;
    }
    int total = sketch.countMessage();
    if (sketch.seenBefore(hash())) {
      for (int i = 0; i < parts; i++) {
        sketch.countWord(hashes[i]);
      }
      return true;
    }
    boolean coarser = false;
    for (int i = 0; i < parts; i++) {
      boolean rare = sketch.countWord(hashes[i]) < total / TemplateSketch.RARE;
      coarser |= rare && !variable[i];
      variable[i] |= rare;
    }
    if (!coarser) {
      return false;
    }
    write();
    return sketch.seenBefore(hash());
  }

  /** Finds the parts and writes the fine template; false where no template fits. */
  private boolean split() {
    parts = 0;
    int most = 0;
    scanner.reset(text, length);
    while (scanner.nextWord()) {
      int count = scanner.parts();
      int first = parts;
      for (int i = 0; i < count; i++) {
        if (parts == starts.length) {
          grow();
        }
        starts[parts] = scanner.start(i);
        ends[parts] = scanner.end(i);
        variable[parts] = scanner.hasDigit(i);
        words[parts] = first;
        wordEnds[parts++] = 0;
        most += 1 + 3 * (scanner.end(i) - scanner.start(i));
      }
      if (hasWhole()) {
        wordEnds[first] = scanner.end(count - 1);
        most += 1 + 3 * (scanner.end(count - 1) - scanner.start(0));
      }
      if (most > MAX_TEMPLATE_BYTES) {
        return false;
      }
    }
    write();
    return parts > 0;
  }

  /** Writes the template over the variables as they are marked. */
  private void write() {
    templateLength = 0;
    holes = 0;
    for (int i = 0; i < parts; i++) {
      boolean wholeHole = wordEnds[i] > 0 && anyVariable(i);
      if (wholeHole) {
        addHole(starts[i], wordEnds[i]);
      }
      template[templateLength++] = Reserved.POSITION;
      if (variable[i]) {
        addHole(starts[i], ends[i]);
        hashes[i] = 0;
      } else {
        int from = templateLength;
        templateLength = encode(starts[i], ends[i], template, from);
        hashes[i] = wordHash(from, templateLength);
      }
      if (wordEnds[i] > 0) {
        template[templateLength++] = Reserved.WHOLE;
        if (!wholeHole) {
          templateLength = encode(starts[i], wordEnds[i], template, templateLength);
        }
      }
    }
  }

  private boolean anyVariable(int first) {
    for (int i = first; i < parts && words[i] == first; i++) {
      if (variable[i]) {
        return true;
      }
    }
    return false;
  }

  private int wordHash(int from, int to) {
    int h = 1;
    for (int i = from; i < to; i++) {
      h = 31 * h + template[i];
    }
    h *= 0x9e3779b9;
    return h ^ h >>> 15;
  }

  private void grow() {
    int size = parts * 2;
    starts = Arrays.copyOf(starts, size);
    ends = Arrays.copyOf(ends, size);
    wordEnds = Arrays.copyOf(wordEnds, size);
    words = Arrays.copyOf(words, size);
    variable = Arrays.copyOf(variable, size);
    hashes = Arrays.copyOf(hashes, size);
  }

  private void addHole(int start, int end) {
    if (holes == holeStarts.length) {
      holeStarts = Arrays.copyOf(holeStarts, holes * 2);
      holeEnds = Arrays.copyOf(holeEnds, holes * 2);
    }
    holeStarts[holes] = start;
    holeEnds[holes++] = end;
  }

  /** Writes text in lower case as UTF-8; returns where it ends. */
  private int encode(int start, int end, byte[] out, int at) {
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

  private long hash() {
    long h = 0xcbf29ce484222325L ^ templateLength;
    int i = 0;
    for (; i + 8 <= templateLength; i += 8) {
      h = (h ^ (long) LONGS.get(template, i)) * 0x9e3779b97f4a7c15L;
      h ^= h >>> 32;
    }
    for (; i < templateLength; i++) {
      h = (h ^ template[i]) * 0x100000001b3L;
    }
    h ^= h >>> 29;
    h *= 0xbf58476d1ce4e5b9L;
    return h ^ h >>> 32;
  }
}
