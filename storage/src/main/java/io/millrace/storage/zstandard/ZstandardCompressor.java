package io.millrace.storage.zstandard;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.DataOutput;
import org.jspecify.annotations.Nullable;

/**
 * Writes one block as a length and a frame; lives as long as one segment's writer.
 *
 * <p>The native context is made for the first block and not before: where Lucene's writer cannot
 * create its files (a full disk), it forgets the compressor without closing it
 * (Lucene90CompressingStoredFieldsWriter#Lucene90CompressingStoredFieldsWriter at 10.5), and no
 * garbage collector frees a context.
 */
final class ZstandardCompressor extends Compressor {
  private final int level;
  private final ZstandardCounters counters;
  private @Nullable ZstdCompressCtx zstd;
  private byte[] plain = {};
  private byte[] frame = {};

  ZstandardCompressor(int level, ZstandardCounters counters) {
    this.level = level;
    this.counters = counters;
  }

  private ZstdCompressCtx context() {
    ZstdCompressCtx context = zstd;
    if (context == null) {
      context = new ZstdCompressCtx();
      zstd = context;
      counters.openCompressors.increment();
      context.setLevel(level);
      context.setMagicless(true);
      context.setContentSize(false);
      context.setDictID(false);
      context.setChecksum(true);
    }
    return context;
  }

  @Override
  public void compress(ByteBuffersDataInput block, DataOutput out) throws IOException {
    int length = Math.toIntExact(block.length());
    if (length == 0) {
      out.writeVInt(0);
      return;
    }
    if (plain.length < length) {
      plain = new byte[length];
      frame = new byte[Math.toIntExact(Zstd.compressBound(length))];
    }
    block.readBytes(plain, 0, length);
    int compressed = context().compressByteArray(frame, 0, frame.length, plain, 0, length);
    out.writeVInt(compressed);
    out.writeBytes(frame, 0, compressed);
    counters.compressedBlocks.increment();
    counters.compressedIn.add(length);
    counters.compressedOut.add(compressed);
  }

  @Override
  public void close() {
    ZstdCompressCtx context = zstd;
    if (context != null) {
      zstd = null;
      context.close();
      counters.openCompressors.decrement();
    }
  }
}
