package io.millrace.storage.zstandard;

import io.millrace.storage.offheapcache.BlockCaches;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.codecs.lucene90.compressing.Lucene90CompressingStoredFieldsFormat;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * Stored fields in blocks that are compressed with Zstandard.
 *
 * <p><b>Principle.</b> Documents are collected until they make a block (16, 32 or 128 KiB, see
 * {@link ZstandardVariant}); each block is one zstd frame. Everything around the block is Lucene's
 * {@link Lucene90CompressingStoredFieldsFormat}: the same three files, the same index of blocks,
 * the same copying of whole blocks on merge.
 *
 * <p><b>Files.</b>
 *
 * <ul>
 *   <li>{@code .fdt}: index header (format name = the codec's name, version of Lucene's format,
 *       segment id), blocks, codec footer with CRC32. A block is Lucene's block header (first
 *       document, number of documents, fields and length per document) and then, for each slice,
 *       {@code FrameLength} (vInt) and {@code Frame}. A block has one slice, or, if it reaches
 *       twice the block size because of a long document, one slice per block size.
 *   <li>{@code .fdx}, {@code .fdm}: Lucene's index of blocks and its metadata. The CRC of both is
 *       checked when the segment is opened (Lucene's own formats check that of {@code .fdm} only).
 * </ul>
 *
 * <p><b>Frame.</b> Nothing ({@code FrameLength} 0) for a slice without bytes, else RFC 8878,
 * without magic number, content size and dictionary id, with content checksum (low 32 bits of XXH64
 * of the plain bytes): 0.04 % of a block, and a flipped bit in a frame is found by the read that
 * meets it, while Lucene's own formats find it only when a merge, a recovery or a snapshot reads
 * the file's CRC.
 *
 * <p><b>Segment attribute.</b> {@value #LEVEL_KEY} holds the level at which the segment was
 * written, so that blocks are copied between segments of equal level and compressed anew when the
 * level of the index was changed.
 *
 * <p><b>Limits.</b> A plain slice is shorter than twice the block size; a frame is no longer than
 * zstd's bound for its slice; longer values are corruption and take no memory. A document is at
 * most 2<sup>31</sup> bytes minus the block size, as with Lucene. Reading one document decodes its
 * whole slice: with one frame per block a block is at most 128 KiB. Bits flipped in Lucene's block
 * <em>header</em> are found by Lucene's own checks and otherwise, as in stock, by the file's CRC.
 *
 * <p><b>Why one frame per block.</b> Frames of a part of the block with the block's beginning as
 * dictionary would let one document be read without the rest. A prototype (100,000 log documents,
 * 128 KiB in four parts, level 3) took 59 % of LZ4's bytes instead of 55 %, 35 % more CPU to write,
 * and the fetch of ten documents fell only from 0.94 to 0.77 ms, because the dictionary has to be
 * decoded and loaded first. So the block stays whole, and {@link ZstandardDecompressor} keeps the
 * block that a request has decoded for the request's next document.
 *
 * <p><b>Versions.</b> The format's name is the codec's. A change of the bytes gets a new name, and
 * the old class stays for reading.
 *
 * <p>Sources: promise zstandard; Lucene90StoredFieldsFormat (the attribute that keeps the mode);
 * docs/zstandard-measured.md.
 */
public final class ZstandardStoredFieldsFormat extends StoredFieldsFormat {
  /** Segment attribute: the compression level, 1 to 6. */
  public static final String LEVEL_KEY = "ZstandardStoredFieldsFormat.level";

  /**
   * The bounds that stock sets for {@code index.codec.compression_level}
   * (EngineConfig#INDEX_CODEC_COMPRESSION_LEVEL_SETTING).
   */
  public static final int MIN_LEVEL = 1;

  public static final int MAX_LEVEL = 6;

  private static final String BLOCKS_EXTENSION = "fdt";
  private static final String INDEX_EXTENSION = "fdx";

  /** log2 of the number of blocks per entry of Lucene's monotonic index, as in its own formats. */
  private static final int BLOCK_SHIFT = 10;

  private final ZstandardVariant variant;
  private final int level;
  private final List<StoredFieldsFormat> formats;
  private final Supplier<@Nullable String> libraryProblem;
  private final BlockCaches caches;

  ZstandardStoredFieldsFormat(
      ZstandardVariant variant,
      ZstandardCounters counters,
      Supplier<@Nullable String> libraryProblem) {
    this.variant = variant;
    this.level = variant.defaultLevel();
    this.libraryProblem = libraryProblem;
    this.caches = new BlockCaches();
    DecompressionContexts contexts =
        new DecompressionContexts(2 * Runtime.getRuntime().availableProcessors());
    List<StoredFieldsFormat> perLevel = new ArrayList<>();
    for (int each = MIN_LEVEL; each <= MAX_LEVEL; each++) {
      perLevel.add(
          new Lucene90CompressingStoredFieldsFormat(
              variant.codecName(),
              new ZstandardCompressionMode(each, variant.blockLength(), contexts, counters),
              variant.blockLength(),
              variant.maxDocsPerBlock(),
              BLOCK_SHIFT));
    }
    this.formats = List.copyOf(perLevel);
  }

  private ZstandardStoredFieldsFormat(ZstandardStoredFieldsFormat other, int level) {
    this.variant = other.variant;
    this.level = level;
    this.formats = other.formats;
    this.libraryProblem = other.libraryProblem;
    this.caches = other.caches;
  }

  /**
   * The same format writing at another level; reads are the same, and so are the shared contexts.
   *
   * @throws IllegalArgumentException if the level is not within 1 and 6
   */
  ZstandardStoredFieldsFormat atLevel(int newLevel) {
    if (newLevel < MIN_LEVEL || newLevel > MAX_LEVEL) {
      throw new IllegalArgumentException(
          "index.codec.compression_level ["
              + newLevel
              + "] must be within ["
              + MIN_LEVEL
              + ", "
              + MAX_LEVEL
              + "]");
    }
    return new ZstandardStoredFieldsFormat(this, newLevel);
  }

  /** Where decoded blocks are cached; shared by all levels. */
  BlockCaches blockCaches() {
    return caches;
  }

  @Override
  public StoredFieldsReader fieldsReader(
      Directory directory, SegmentInfo segment, FieldInfos fields, IOContext context)
      throws IOException {
    requireLibrary(segment);
    checkIndex(directory, segment);
    String blocks = IndexFileNames.segmentFileName(segment.name, "", BLOCKS_EXTENSION);
    return formats
        .get(levelOf(segment) - MIN_LEVEL)
        .fieldsReader(caches.caching(directory, segment, blocks), segment, fields, context);
  }

  @Override
  public StoredFieldsWriter fieldsWriter(
      Directory directory, SegmentInfo segment, IOContext context) throws IOException {
    requireLibrary(segment);
    String previous = segment.putAttribute(LEVEL_KEY, Integer.toString(level));
    if (previous != null && !previous.equals(Integer.toString(level))) {
      throw new IllegalStateException(
          LEVEL_KEY + " of segment " + segment.name + " was " + previous + ", now " + level);
    }
    return formats.get(level - MIN_LEVEL).fieldsWriter(directory, segment, context);
  }

  private static int levelOf(SegmentInfo segment) {
    String value = segment.getAttribute(LEVEL_KEY);
    if (value == null || value.length() != 1 || value.charAt(0) < '1' || value.charAt(0) > '6') {
      throw new IllegalStateException(
          "segment " + segment.name + " has no valid attribute " + LEVEL_KEY + ": " + value);
    }
    return value.charAt(0) - '0';
  }

  /** The index of blocks is a few bytes per block: its CRC is read at open, not only on merge. */
  private static void checkIndex(Directory directory, SegmentInfo segment) throws IOException {
    String file = IndexFileNames.segmentFileName(segment.name, "", INDEX_EXTENSION);
    try (IndexInput in = directory.openInput(file, IOContext.READONCE)) {
      CodecUtil.checksumEntireFile(in);
    }
  }

  /** Not a corruption: the files are sound, this node cannot read them. */
  private void requireLibrary(SegmentInfo segment) throws IOException {
    String problem = libraryProblem.get();
    if (problem != null) {
      throw new IOException(
          "segment " + segment.name + " uses index.codec [" + variant.alias() + "]: " + problem);
    }
  }

  @Override
  public String toString() {
    return "ZstandardStoredFieldsFormat(" + variant.alias() + ", level=" + level + ")";
  }
}
