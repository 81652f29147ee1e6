package io.millrace.storage.columnarsource;

import java.util.concurrent.atomic.LongAdder;

/** What the codec did since the JVM started; shared by all indices, as Lucene's registry is. */
final class SourceCounters {
  final LongAdder documents = new LongAdder();
  final LongAdder rawDocuments = new LongAdder();
  final LongAdder plainBytes = new LongAdder();
  final LongAdder storedBytes = new LongAdder();
  final LongAdder blocksCopied = new LongAdder();
  final LongAdder blocksRead = new LongAdder();
  final LongAdder damagedBlocks = new LongAdder();
  final LongAdder openCompressors = new LongAdder();
}
