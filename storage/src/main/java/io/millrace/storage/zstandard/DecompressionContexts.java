package io.millrace.storage.zstandard;

import com.github.luben.zstd.ZstdDecompressCtx;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * A bounded stock of native decompression contexts, each with a buffer for compressed bytes.
 *
 * <p>Why: Lucene clones a {@code Decompressor} for every fetch of every segment and never closes
 * one (SegmentReader#getFieldsReader, Decompressor has no close at 10.5), while a zstd context is
 * native memory (about 160 KB) that no garbage collector frees (zstd-jni 1.5.6, AutoCloseBase has
 * no finalizer). So contexts are borrowed for one block and given back; what the stock has no room
 * for is freed at once.
 *
 * <p>Memory: at most {@code capacity} idle contexts with their buffers, plus one per thread that is
 * decompressing at the moment.
 */
public final class DecompressionContexts {
  private static final byte[] NO_BASE = {};

  private final BlockingQueue<Context> idle;

  /** Holds at most {@code capacity} contexts that nobody uses. */
  public DecompressionContexts(int capacity) {
    idle = new ArrayBlockingQueue<>(capacity);
  }

  /** One context and its buffer; used by one thread at a time. */
  public static final class Context implements AutoCloseable {
    final ZstdDecompressCtx zstd = new ZstdDecompressCtx();
    private byte[] buffer = {};

    Context() {
      zstd.setMagicless(true);
    }

    /**
     * Decompresses one frame without magic number.
     *
     * @param base the text that it was compressed with as raw dictionary; empty for none
     * @return bytes written to {@code target}
     */
    public int decompress(byte[] target, int length, byte[] from, int at, int size, byte[] base) {
      if (base.length == 0) {
        return zstd.decompressByteArray(target, 0, length, from, at, size);
      }
      try {
        zstd.loadDict(base);
        return zstd.decompressByteArray(target, 0, length, from, at, size);
      } finally {
        zstd.loadDict(NO_BASE);
      }
    }

    /** A buffer of at least {@code size} bytes; its content is undefined. */
    byte[] buffer(int size) {
      if (buffer.length < size) {
        buffer = new byte[size];
      }
      return buffer;
    }

    @Override
    public void close() {
      zstd.close();
    }
  }

  /** A context for one thread, to be given back. */
  public Context borrow() {
    Context context = idle.poll();
    return context == null ? new Context() : context;
  }

  /** Takes a context back, or frees it. */
  public void giveBack(Context context) {
    if (!idle.offer(context)) {
      context.close();
    }
  }

  /** Contexts that nobody uses now. */
  int idle() {
    return idle.size();
  }
}
