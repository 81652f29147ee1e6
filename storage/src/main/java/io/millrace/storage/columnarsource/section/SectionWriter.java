package io.millrace.storage.columnarsource.section;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.util.Arrays;

/**
 * The sections of a block while it is being encoded: directory, packed values, text.
 *
 * <p>Text is cut into frames of about {@value #FRAME} bytes at the ends of values, each compressed
 * alone, so that reading a value decodes its frame and no other.
 */
public final class SectionWriter implements AutoCloseable {
  /** Text from which a frame is closed. */
  static final int FRAME = 16 * 1024;

  /** No directory is longer: at most 20 bytes for each of a block's values. */
  static final int MAX_DIRECTORY = 64 << 20;

  private static final int KEEP = 1 << 20;

  /** The directory; columns within a column write theirs to another one for a while. */
  public ByteSink directory = new ByteSink(4096);

  /** The packed values. */
  public final ByteSink packed = new ByteSink(64 * 1024);

  private final ByteSink text = new ByteSink(64 * 1024);
  private int[] cuts = new int[64];
  private int frames;
  private final ByteSink references = new ByteSink(256);
  private int templates;
  private final ByteSink frame = new ByteSink(4096);
  private final ZstdCompressCtx zstd = new ZstdCompressCtx();

  /** Compresses at a zstd level. */
  public SectionWriter(int level) {
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
    frame.ensure(Math.toIntExact(Zstd.compressBound(directory.length)));
    int compressed =
        zstd.compressByteArray(
            frame.bytes, 0, frame.bytes.length, directory.bytes, 0, directory.length);
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
    int start = 0;
    for (int i = 0; i < frames; i++) {
      int plain = cuts[i] - start;
      frame.length = 0;
      frame.ensure(Math.toIntExact(Zstd.compressBound(plain)));
      int size =
          zstd.compressByteArray(frame.bytes, 0, frame.bytes.length, text.bytes, start, plain);
      out.writeVInt(plain);
      if (size < plain) {
        out.writeVInt(size);
        out.write(frame.bytes, 0, size);
      } else {
        out.writeVInt(0);
        out.write(text.bytes, start, plain);
      }
      start = cuts[i];
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
