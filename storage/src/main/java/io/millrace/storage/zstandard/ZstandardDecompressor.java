package io.millrace.storage.zstandard;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.millrace.storage.offheapcache.BlockFile;
import io.millrace.storage.offheapcache.CachedBlock;
import io.millrace.storage.offheapcache.CachedInput;
import java.io.IOException;
import org.apache.lucene.codecs.compressing.Decompressor;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Reads blocks of one segment for one thread.
 *
 * <p>A whole block is decoded straight into the caller's array. For a part of a block (one
 * document) the decoded block is kept until the next one is asked for, because the hits of a search
 * over time often lie side by side and Lucene's reader decodes the block again for each of them
 * (Lucene90CompressingStoredFieldsReader.BlockState#doReset at 10.5). The instance and with it the
 * block live as long as one request: SegmentReader#getFieldsReader clones the reader for every
 * {@code storedFields()}.
 *
 * <p>Lengths are read from disk and therefore not believed: what exceeds the format's bounds is
 * corruption before any memory is taken, and the frame's own checksum covers the decoded bytes.
 */
final class ZstandardDecompressor extends Decompressor {
  private final int maxBlockLength;
  private final DecompressionContexts contexts;
  private final ZstandardCounters counters;

  private byte[] part = {};
  private byte[] block = {};
  private int blockLength;
  private @Nullable IndexInput blockInput;
  private long blockStart;
  private long blockEnd;

  ZstandardDecompressor(
      int maxBlockLength, DecompressionContexts contexts, ZstandardCounters counters) {
    this.maxBlockLength = maxBlockLength;
    this.contexts = contexts;
    this.counters = counters;
  }

  @Override
  public void decompress(DataInput in, int originalLength, int offset, int length, BytesRef bytes)
      throws IOException {
    assert offset >= 0 && length >= 0 && offset + length <= originalLength;
    if (originalLength < 0 || originalLength > maxBlockLength) {
      throw corrupt("a block of " + originalLength + " bytes", in, null);
    }
    if (offset == 0 && length == originalLength) {
      if (bytes.bytes.length < originalLength || bytes.bytes == block) {
        bytes.bytes = new byte[originalLength];
      }
      decode(in, originalLength, bytes.bytes);
      bytes.offset = 0;
    } else if (copied(in, originalLength, offset, length)) {
      bytes.bytes = part;
      bytes.offset = 0;
    } else {
      part(in, originalLength);
      bytes.bytes = block;
      bytes.offset = offset;
    }
    bytes.length = length;
  }

  /** Whether the part is in {@link #part} now, out of the cache, and the input behind the block. */
  private boolean copied(DataInput in, int originalLength, int offset, int length)
      throws IOException {
    BlockFile file = CachedInput.fileOf(in);
    if (file == null || holds((IndexInput) in, originalLength)) {
      return false;
    }
    IndexInput input = (IndexInput) in;
    try (CachedBlock cached = file.get(input.getFilePointer())) {
      if (cached == null || cached.length() != originalLength) {
        return false;
      }
      if (part.length < length) {
        part = new byte[Math.max(length, 1024)];
      }
      cached.copy(offset, part, 0, length);
      input.seek(cached.next());
    }
    return true;
  }

  /** Whether the block at the input's position is the one that this request decoded last. */
  private boolean holds(IndexInput input, int originalLength) {
    return input == blockInput
        && input.getFilePointer() == blockStart
        && originalLength == blockLength;
  }

  /** Leaves the block at the input's position in {@link #block} and the input behind the block. */
  private void part(DataInput in, int originalLength) throws IOException {
    IndexInput input = in instanceof IndexInput seekable ? seekable : null;
    long start = input == null ? -1 : input.getFilePointer();
    if (input != null && holds(input, originalLength)) {
      input.seek(blockEnd);
      counters.blockReuses.increment();
      return;
    }
    blockInput = null;
    if (block.length < originalLength) {
      block = new byte[originalLength];
    }
    decode(in, originalLength, block);
    blockInput = input;
    blockLength = originalLength;
    blockStart = start;
    blockEnd = input == null ? -1 : input.getFilePointer();
    BlockFile file = CachedInput.fileOf(in);
    if (file != null) {
      file.put(start, blockEnd, block, 0, originalLength);
    }
  }

  private void decode(DataInput in, int originalLength, byte[] target) throws IOException {
    int compressed = in.readVInt();
    if (originalLength == 0 && compressed == 0) {
      return;
    }
    if (compressed <= 0 || compressed > Zstd.compressBound(originalLength)) {
      throw corrupt("a frame of " + compressed + " bytes for " + originalLength, in, null);
    }
    DecompressionContexts.Context context = contexts.borrow();
    int decoded;
    try {
      byte[] frame = context.buffer(compressed);
      in.readBytes(frame, 0, compressed);
      decoded = context.zstd.decompressByteArray(target, 0, originalLength, frame, 0, compressed);
    } catch (ZstdException e) {
      throw corrupt(String.valueOf(e.getMessage()), in, e);
    } finally {
      contexts.giveBack(context);
    }
    if (decoded != originalLength) {
      throw corrupt(decoded + " bytes instead of " + originalLength, in, null);
    }
    counters.decompressedBlocks.increment();
    counters.decompressedIn.add(compressed);
    counters.decompressedOut.add(originalLength);
  }

  private CorruptIndexException corrupt(String what, DataInput in, @Nullable Throwable cause) {
    counters.corruptBlocks.increment();
    return new CorruptIndexException("zstandard block is damaged: " + what, in, cause);
  }

  @Override
  public Decompressor clone() {
    return new ZstandardDecompressor(maxBlockLength, contexts, counters);
  }
}
