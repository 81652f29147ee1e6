package io.millrace.storage.zstandard;

import java.util.concurrent.atomic.LongAdder;

/** What one codec did since the JVM started; shared by all of its indices. */
final class ZstandardCounters {
  final LongAdder compressedBlocks = new LongAdder();
  final LongAdder compressedIn = new LongAdder();
  final LongAdder compressedOut = new LongAdder();
  final LongAdder decompressedBlocks = new LongAdder();
  final LongAdder decompressedIn = new LongAdder();
  final LongAdder decompressedOut = new LongAdder();
  final LongAdder blockReuses = new LongAdder();
  final LongAdder corruptBlocks = new LongAdder();
  final LongAdder openCompressors = new LongAdder();
}
