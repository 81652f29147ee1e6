package io.millrace.storage.columnarsource.section;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import io.millrace.kernel.text.LittleEndian;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * The sections of a block while it is being encoded: directory, packed values, text.
 *
 * <p>Text is cut into frames of about {@value #FRAME} bytes at the ends of values, each compressed
 * alone, so that reading a value decodes its frame and at most one other: frames of a long column
 * may be compressed with the text of its first frame as dictionary, their <em>base</em>.
 */
public final class SectionWriter implements AutoCloseable {
  /** Text from which a frame is closed. */
  static final int FRAME = 16 * 1024;

  /** No directory is longer: at most 20 bytes for each of a block's values. */
  static final int MAX_DIRECTORY = 64 << 20;

  /** No longer frame is a base. */
  private static final int LONGEST_BASE = 4 * FRAME;

  /** Of a frame's bytes that a base must save, one part in so many. */
  private static final int WORTH = 16;

  /** The magic number of a dictionary (RFC 8878, 5). */
  private static final int ZSTD_DICTIONARY = 0xEC30A437;

  private static final byte[] NO_BASE = {};

  private static final int KEEP = 1 << 20;

  /** The directory; columns within a column write theirs to another one for a while. */
  public ByteSink directory = new ByteSink(4096);

  /** The packed values. */
  public final ByteSink packed = new ByteSink(64 * 1024);

  private final ByteSink text = new ByteSink(64 * 1024);
  private int[] cuts = new int[64];
  private int frames;

  /** Where a long column's text begins and where it ends, in turn. */
  private int[] columns = new int[8];

  private int columnEnds;
  private final ByteSink references = new ByteSink(256);
  private int templates;
  private final ByteSink frame = new ByteSink(4096);
  private final ZstdCompressCtx zstd = new ZstdCompressCtx();
  private final int level;

  /** Compresses at a zstd level. */
  public SectionWriter(int level) {
    this.level = level;
    zstd.setLevel(level);
    zstd.setMagicless(true);
    zstd.setContentSize(false);
    zstd.setDictID(false);
    zstd.setChecksum(false);
  }

  /** Begins a block. */
  public void reset() {
    directory.reset(KEEP);
    packed.reset(KEEP);
    text.reset(KEEP);
    references.length = 0;
    templates = 0;
    frames = 0;
    columnEnds = 0;
  }

  /** Takes one value's text. */
  public void text(byte[] bytes, int from, int length) {
    text.write(bytes, from, length);
    int open = frames == 0 ? 0 : cuts[frames - 1];
    if (text.length - open >= FRAME) {
      cut();
    }
  }

  private void cut() {
    if (frames == cuts.length) {
      cuts = Arrays.copyOf(cuts, 2 * frames);
    }
    cuts[frames++] = text.length;
  }

  /** Bytes of text taken so far. */
  public int textLength() {
    return text.length;
  }

  /** Tells that all text from {@code start} on is of one column. */
  public void column(int start) {
    if (text.length - start >= 2 * FRAME) {
      columns = ArrayUtil.grow(columns, columnEnds + 2);
      columns[columnEnds++] = start;
      columns[columnEnds++] = text.length;
    }
  }

  /** Names a template of the segment; the block knows it by its order here. */
  public void template(int id) {
    references.writeVInt(id);
    templates++;
  }

  /** The block's references, to be written in front of {@link #body}. */
  public void references(int[] shapes, int count, ByteSink out) {
    out.writeVInt(count);
    for (int i = 0; i < count; i++) {
      out.writeVInt(shapes[i]);
    }
    out.writeVInt(templates);
    out.write(references.bytes, 0, references.length);
  }

  /** Everything else: the same bytes wherever the block is copied to. */
  public void body(ByteSink out) {
    if (text.length > (frames == 0 ? 0 : cuts[frames - 1])) {
      cut();
    }
    frame.reset(KEEP);
    int compressed = compress(directory.bytes, 0, directory.length);
    out.writeVInt(directory.length);
    if (compressed < directory.length) {
      out.writeVInt(compressed);
      out.write(frame.bytes, 0, compressed);
    } else {
      out.writeVInt(0);
      out.write(directory.bytes, 0, directory.length);
    }
    out.writeVInt(packed.length);
    out.write(packed.bytes, 0, packed.length);
    out.writeVInt(frames);
    int done = 0;
    for (int i = 0; i < columnEnds; i += 2) {
      int first = frameAt(columns[i]);
      int end = first;
      while (end < frames && cuts[end] <= columns[i + 1]) {
        end++;
      }
      alone(done, first, out);
      oneColumn(first, end, out);
      done = Math.max(first, end);
    }
    alone(done, frames, out);
  }

  /** Compresses into {@link #frame} and returns the size. */
  private int compress(byte[] plain, int from, int length) {
    frame.length = 0;
    frame.ensure(Math.toIntExact(Zstd.compressBound(length)));
    return zstd.compressByteArray(frame.bytes, 0, frame.bytes.length, plain, from, length);
  }

  private int start(int number) {
    return number == 0 ? 0 : cuts[number - 1];
  }

  private int length(int number) {
    return cuts[number] - start(number);
  }

  /** The first frame that begins at a place of the text or behind it. */
  private int frameAt(int place) {
    int i = Arrays.binarySearch(cuts, 0, frames, place);
    return place == 0 ? 0 : i < 0 ? -i : i + 1;
  }

  /** Writes frames without a base. */
  private void alone(int from, int end, ByteSink out) {
    for (int i = from; i < end; i++) {
      write(i, compress(text.bytes, start(i), length(i)), out);
    }
  }

  /** Writes the frames that hold nothing but one column's text. */
  private void oneColumn(int first, int end, ByteSink out) {
    if (end - first < 2 || !fitsAsBase(first)) {
      alone(first, end, out);
      return;
    }
    alone(first, first + 1, out);
    int second = first + 1;
    int without = compress(text.bytes, start(second), length(second));
    try (ZstdDictCompress base =
        new ZstdDictCompress(text.bytes, start(first), length(first), level)) {
      zstd.loadDict(base);
      int with = compress(text.bytes, start(second), length(second));
      if (with > without - without / WORTH) {
        zstd.loadDict(NO_BASE);
        alone(second, end, out);
        return;
      }
      for (int i = second; i < end; i++) {
        int size = i == second ? with : compress(text.bytes, start(i), length(i));
        out.writeVInt(0);
        out.writeVInt(i - first);
        write(i, size, out);
      }
    } finally {
      zstd.loadDict(NO_BASE);
    }
  }

  /** zstd would take text that begins like one of its own dictionaries for one. */
  private boolean fitsAsBase(int number) {
    return length(number) <= LONGEST_BASE
        && (int) LittleEndian.getLong(text.bytes, start(number)) != ZSTD_DICTIONARY;
  }

  private void write(int number, int size, ByteSink out) {
    int plain = length(number);
    out.writeVInt(plain);
    if (size < plain) {
      out.writeVInt(size);
      out.write(frame.bytes, 0, size);
    } else {
      out.writeVInt(0);
      out.write(text.bytes, start(number), plain);
    }
  }

  /** Heap that it holds, bytes. */
  public long ramBytesUsed() {
    return directory.bytes.length + packed.bytes.length + text.bytes.length + frame.bytes.length;
  }

  @Override
  public void close() {
    zstd.close();
  }
}
