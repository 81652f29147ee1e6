package io.millrace.storage.zstandard;

import org.apache.lucene.codecs.compressing.CompressionMode;
import org.apache.lucene.codecs.compressing.Compressor;
import org.apache.lucene.codecs.compressing.Decompressor;

/**
 * Zstandard at one level for blocks of one size; see {@link ZstandardStoredFieldsFormat} for the
 * bytes.
 *
 * <p>Lucene copies compressed blocks on merge only between segments of the <em>same instance</em>
 * of a mode (Lucene90CompressingStoredFieldsWriter#getMergeStrategy at 10.5), so one instance per
 * level lives as long as its codec.
 */
final class ZstandardCompressionMode extends CompressionMode {
  private final int level;
  private final int maxBlockLength;
  private final DecompressionContexts contexts;
  private final ZstandardCounters counters;

  /**
   * @param level 1 to 6, as {@code index.codec.compression_level} permits
   * @param blockLength bytes of documents at which Lucene closes a block; a block holds less than
   *     twice as much
   */
  ZstandardCompressionMode(
      int level, int blockLength, DecompressionContexts contexts, ZstandardCounters counters) {
    this.level = level;
    this.maxBlockLength = 2 * blockLength;
    this.contexts = contexts;
    this.counters = counters;
  }

  @Override
  public Compressor newCompressor() {
    return new ZstandardCompressor(level, counters);
  }

  @Override
  public Decompressor newDecompressor() {
    return new ZstandardDecompressor(maxBlockLength, contexts, counters);
  }

  @Override
  public String toString() {
    return "ZSTANDARD(level=" + level + ")";
  }
}
