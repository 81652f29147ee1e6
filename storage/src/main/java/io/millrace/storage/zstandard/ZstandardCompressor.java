package io.millrace.storage.zstandard;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.store.ByteBuffersDataInput;
import org.apache.lucene.store.DataOutput;

/** Writes one block as a length and a frame; lives as long as one segment's writer. */
final class ZstandardCompressor extends Compressor {
  private final ZstdCompressCtx zstd = new ZstdCompressCtx();
  private final ZstandardCounters counters;
  private byte[] plain = {};
  private byte[] frame = {};

  ZstandardCompressor(int level, ZstandardCounters counters) {
    this.counters = counters;
    zstd.setLevel(level);
    zstd.setMagicless(true);
    zstd.setContentSize(false);
    zstd.setDictID(false);
    zstd.setChecksum(true);
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
    int compressed = zstd.compressByteArray(frame, 0, frame.length, plain, 0, length);
    out.writeVInt(compressed);
    out.writeBytes(frame, 0, compressed);
    counters.compressedBlocks.increment();
    counters.compressedIn.add(length);
    counters.compressedOut.add(compressed);
  }

  @Override
  public void close() {
    zstd.close();
  }
}
