package io.millrace.storage.offheapcache;

import java.util.concurrent.atomic.LongAdder;

/** What a cache did since the node started; outlives every resize. */
final class CacheCounters {
  final LongAdder hits = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder admissions = new LongAdder();
  final LongAdder rejections = new LongAdder();
  final LongAdder evictions = new LongAdder();
  final LongAdder servedBytes = new LongAdder();
}
