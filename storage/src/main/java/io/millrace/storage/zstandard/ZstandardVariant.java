package io.millrace.storage.zstandard;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.engine.EngineConfig;

/**
 * The block sizes on offer: a larger block is smaller on disk and dearer to read one document from.
 *
 * <p>32K under the name {@code zstandard} is the default, 16K the choice for single documents; the
 * archive is for indices that are kept and rarely read. Figures: docs/zstandard-measured.md.
 */
public enum ZstandardVariant {
  /** {@code zstandard}: blocks of 32 KiB. */
  STANDARD("zstandard", "Millrace1050Zstandard32k", 32 * 1024, 1024, 3),
  /** {@code zstandard_16k}: blocks of 16 KiB, for indices from which single documents are read. */
  SMALL("zstandard_16k", "Millrace1050Zstandard16k", 16 * 1024, 1024, 3),
  /**
   * {@code zstandard_archive}: blocks of 128 KiB; level 1 because on log lines it is both smaller
   * and cheaper than level 3 at this size.
   */
  ARCHIVE("zstandard_archive", "Millrace1050ZstandardArchive", 128 * 1024, 4096, 1);

  private final String alias;
  private final String codecName;
  private final int blockLength;
  private final int maxDocsPerBlock;
  private final int defaultLevel;

  ZstandardVariant(
      String alias, String codecName, int blockLength, int maxDocsPerBlock, int defaultLevel) {
    this.alias = alias;
    this.codecName = codecName;
    this.blockLength = blockLength;
    this.maxDocsPerBlock = maxDocsPerBlock;
    this.defaultLevel = defaultLevel;
  }

  /** The variant that a value of {@code index.codec} names; it must be one of {@link #aliases}. */
  public static ZstandardVariant named(String alias) {
    return Arrays.stream(values())
        .filter(each -> each.alias.equals(alias))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no variant is named [" + alias + "]"));
  }

  /** The values of {@code index.codec} that name a variant, in the order of the variants. */
  public static Set<String> aliases() {
    return Arrays.stream(values())
        .map(ZstandardVariant::alias)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The value of {@code index.codec}. */
  public String alias() {
    return alias;
  }

  /** The name that segments carry; it changes with every change of the format. */
  public String codecName() {
    return codecName;
  }

  /** Bytes of documents at which a block is closed. */
  public int blockLength() {
    return blockLength;
  }

  /** Documents at which a block is closed even when it is shorter. */
  public int maxDocsPerBlock() {
    return maxDocsPerBlock;
  }

  /** The compression level where {@code index.codec.compression_level} is not set. */
  public int defaultLevel() {
    return defaultLevel;
  }

  /** The compression level at which an index of these settings writes the variant. */
  public int level(Settings settings) {
    return EngineConfig.INDEX_CODEC_COMPRESSION_LEVEL_SETTING.exists(settings)
        ? EngineConfig.INDEX_CODEC_COMPRESSION_LEVEL_SETTING.get(settings)
        : defaultLevel;
  }
}
