package io.millrace.storage.columnarsource.block;

import java.util.concurrent.atomic.LongAdder;

/** What the codec did since the JVM started; shared by all indices, as Lucene's registry is. */
public final class SourceCounters {
  /** Documents with a {@code _source} that were written. */
  public final LongAdder documents = new LongAdder();

  /** Of these, kept as they are. */
  public final LongAdder rawDocuments = new LongAdder();

  /** Their bytes. */
  public final LongAdder plainBytes = new LongAdder();

  /** Bytes of the blocks written. */
  public final LongAdder storedBytes = new LongAdder();

  /** Blocks that a merge copied. */
  public final LongAdder blocksCopied = new LongAdder();

  /** Blocks read. */
  public final LongAdder blocksRead = new LongAdder();

  /** Of these, refused as damaged. */
  public final LongAdder damagedBlocks = new LongAdder();

  /** Documents read of which the reader wanted some fields alone. */
  public final LongAdder partialDocuments = new LongAdder();

  /** Writers open now; each holds a compression context. */
  public final LongAdder openCompressors = new LongAdder();
}
