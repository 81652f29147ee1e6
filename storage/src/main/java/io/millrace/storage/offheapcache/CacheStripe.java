package io.millrace.storage.offheapcache;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A part of the cache with its own lock, memory and policy; a block's hash says which part it is
 * in.
 *
 * <p><b>Memory.</b> Pages of {@value #PAGE} bytes in slabs of {@value #SLAB}, taken when first
 * needed and never more than the bound: what is not within a page cannot be stored, so the bound is
 * exact and there is no fragmentation between blocks. A block takes whole pages, on average half a
 * page more than it has bytes.
 *
 * <p><b>Policy: W-TinyLFU.</b> New blocks enter a small window (1 %) ordered by last use. What
 * falls out of it competes with the oldest block of the main part: the one asked for more often
 * stays, by the {@link FrequencySketch}. The main part is a segmented LRU: blocks that were hit
 * again are protected (80 %), so that one large search cannot flush what is read every minute. One
 * addition: when no page is free, a block that was never asked for before is not even copied, which
 * makes the first touch of cold data as cheap as without the cache.
 *
 * <p><b>Time under the lock</b> is a map lookup, four counters and a few pointers; bytes are copied
 * outside of it.
 *
 * <p>Sources: Einziger, Friedman, Manes (arXiv 1512.00727), 3.4.2 doorkeeper, 4 W-TinyLFU.
 */
final class CacheStripe {
  static final int PAGE = 4096;
  static final int SLAB = 1 << 20;
  private static final int PAGES_PER_SLAB = SLAB / PAGE;

  private final ReentrantLock lock = new ReentrantLock();
  private final OffHeapMemory memory = new OffHeapMemory();
  private final CacheCounters counters;
  private final ViewBudget views;
  private final FrequencySketch sketch;
  private final Map<BlockFile, Map<Long, CachedBlock>> blocks = new HashMap<>();
  private final BlockList window = new BlockList();
  private final BlockList probation = new BlockList();
  private final BlockList protectedBlocks = new BlockList();
  private final int windowPages;
  private int capacity;
  private int[] free;
  private int freeCount;
  private int pagesTaken;
  private int count;
  private long blockBytes;
  private boolean closed;
  private boolean given;

  /** The slabs as readers see them, published by the lock that handed out the block. */
  private volatile ByteBuffer[] slabs = {};

  CacheStripe(int pages, CacheCounters counters, ViewBudget views) {
    this.capacity = pages;
    this.counters = counters;
    this.views = views;
    this.sketch = new FrequencySketch(pages / 4);
    this.windowPages = Math.max(1, Math.min(pages / 2, Math.max(pages / 100, 64)));
    this.free = new int[Math.min(pages, PAGES_PER_SLAB)];
  }

  @Nullable CachedBlock get(BlockFile file, long position, long hash) {
    lock.lock();
    try {
      sketch.increment(hash);
      Map<Long, CachedBlock> ofFile = blocks.get(file);
      CachedBlock block = ofFile == null ? null : ofFile.get(position);
      if (block == null) {
        counters.misses.increment();
        return null;
      }
      counters.hits.increment();
      touch(block);
      block.pin();
      return block;
    } finally {
      lock.unlock();
    }
  }

  private void touch(CachedBlock block) {
    if (block.list == window) {
      window.remove(block);
      window.add(block);
      return;
    }
    if (block.list == probation) {
      probation.remove(block);
    } else {
      protectedBlocks.remove(block);
    }
    protectedBlocks.add(block);
    int limit = (capacity - windowPages) / 5 * 4;
    while (protectedBlocks.pages() > limit) {
      CachedBlock demoted = protectedBlocks.oldest();
      if (demoted == null || demoted == block) {
        return;
      }
      protectedBlocks.remove(demoted);
      probation.add(demoted);
    }
  }

  /** Copies a block in, unless it is there already or the policy would rather keep the others. */
  void put(
      BlockFile file, long position, long hash, long next, byte[] bytes, int offset, int length) {
    CachedBlock block = reserve(file, position, hash, next, length);
    if (block == null) {
      return;
    }
    int done = 0;
    for (int page : block.pages) {
      int chunk = Math.min(PAGE, length - done);
      slabs[page / PAGES_PER_SLAB].put(page % PAGES_PER_SLAB * PAGE, bytes, offset + done, chunk);
      done += chunk;
    }
    publish(block);
  }

  private @Nullable CachedBlock reserve(
      BlockFile file, long position, long hash, long next, int length) {
    int pages = (length + PAGE - 1) / PAGE;
    lock.lock();
    try {
      Map<Long, CachedBlock> ofFile = blocks.get(file);
      if (closed || file.closed() || ofFile != null && ofFile.containsKey(position)) {
        return null;
      }
      boolean full = used() + pages > capacity;
      if (pages == 0 || pages > capacity / 4 || full && sketch.frequency(hash) < 2) {
        counters.rejections.increment();
        return null;
      }
      makeRoom(pages);
      if (!take(pages)) {
        counters.rejections.increment();
        return null;
      }
      int[] taken = new int[pages];
      freeCount -= pages;
      System.arraycopy(free, freeCount, taken, 0, pages);
      return new CachedBlock(this, file, position, hash, next, length, taken);
    } finally {
      lock.unlock();
    }
  }

  private void publish(CachedBlock block) {
    boolean kept = false;
    lock.lock();
    try {
      if (!closed && !block.file.closed()) {
        kept =
            blocks
                    .computeIfAbsent(block.file, key -> new HashMap<>())
                    .putIfAbsent(block.position, block)
                == null;
      }
      if (kept) {
        window.add(block);
        count++;
        blockBytes += block.length();
        counters.admissions.increment();
      }
    } finally {
      lock.unlock();
    }
    if (!kept) {
      block.close();
    }
  }

  /** Pages of the blocks in the lists; those being written or pinned after eviction come on top. */
  private int used() {
    return window.pages() + probation.pages() + protectedBlocks.pages();
  }

  private void makeRoom(int pages) {
    while (window.pages() + pages > windowPages) {
      CachedBlock candidate = window.oldest();
      if (candidate == null) {
        break;
      }
      window.remove(candidate);
      compete(candidate);
    }
    while (used() + pages > capacity) {
      CachedBlock victim = victim();
      if (victim == null) {
        victim = window.oldest();
      }
      if (victim == null) {
        return;
      }
      evict(victim);
    }
  }

  /** Admits what left the window to the main part, or lets go of it. */
  private void compete(CachedBlock candidate) {
    int main = capacity - windowPages;
    while (probation.pages() + protectedBlocks.pages() + candidate.pages.length > main) {
      CachedBlock victim = victim();
      if (victim == null || sketch.frequency(candidate.hash) <= sketch.frequency(victim.hash)) {
        evict(candidate);
        return;
      }
      evict(victim);
    }
    probation.add(candidate);
  }

  private @Nullable CachedBlock victim() {
    CachedBlock oldest = probation.oldest();
    return oldest == null ? protectedBlocks.oldest() : oldest;
  }

  private void evict(CachedBlock block) {
    counters.evictions.increment();
    Map<Long, CachedBlock> ofFile = blocks.get(block.file);
    if (ofFile != null) {
      ofFile.remove(block.position);
      if (ofFile.isEmpty()) {
        blocks.remove(block.file);
      }
    }
    drop(block);
  }

  private void drop(CachedBlock block) {
    if (block.list != null) {
      block.list.remove(block);
    }
    count--;
    blockBytes -= block.length();
    block.close();
  }

  /** Whether this many pages are free now; takes slabs as long as the bound permits. */
  private boolean take(int pages) {
    while (freeCount < pages && pagesTaken < capacity) {
      int more = Math.min(PAGES_PER_SLAB, capacity - pagesTaken);
      try {
        memory.grow(more * PAGE);
      } catch (OutOfMemoryError e) {
        // the JVM's limit for memory outside the heap, not the heap: stay with what there is
        capacity = pagesTaken;
        return false;
      }
      ByteBuffer[] all = new ByteBuffer[slabs.length + 1];
      System.arraycopy(slabs, 0, all, 0, slabs.length);
      all[slabs.length] = memory.slab(slabs.length);
      slabs = all;
      if (free.length < pagesTaken + more) {
        int[] larger = new int[Math.min(Math.max(capacity, 1), 2 * (pagesTaken + more))];
        System.arraycopy(free, 0, larger, 0, freeCount);
        free = larger;
      }
      for (int page = pagesTaken + more - 1; page >= pagesTaken; page--) {
        free[freeCount++] = page;
      }
      pagesTaken += more;
    }
    return freeCount >= pages;
  }

  /** The last one to let go of a block gives its pages back. */
  void free(int[] pages) {
    lock.lock();
    try {
      System.arraycopy(pages, 0, free, freeCount, pages.length);
      freeCount += pages.length;
      closeMemory();
    } finally {
      lock.unlock();
    }
  }

  private void closeMemory() {
    if (closed && !given && freeCount == pagesTaken) {
      given = true;
      slabs = new ByteBuffer[0];
      memory.close();
      pagesTaken = 0;
      freeCount = 0;
    }
  }

  void copy(int[] pages, int from, byte[] target, int offset, int count) {
    counters.servedBytes.add(count);
    int done = 0;
    while (done < count) {
      int page = pages[(from + done) / PAGE];
      int within = (from + done) % PAGE;
      int chunk = Math.min(PAGE - within, count - done);
      slabs[page / PAGES_PER_SLAB].get(
          page % PAGES_PER_SLAB * PAGE + within, target, offset + done, chunk);
      done += chunk;
    }
  }

  long getLong(int[] pages, int from) {
    int within = from % PAGE;
    if (within <= PAGE - Long.BYTES) {
      int page = pages[from / PAGE];
      return slabs[page / PAGES_PER_SLAB].getLong(page % PAGES_PER_SLAB * PAGE + within);
    }
    long value = 0;
    for (int i = Long.BYTES - 1; i >= 0; i--) {
      int page = pages[(from + i) / PAGE];
      int at = page % PAGES_PER_SLAB * PAGE + (from + i) % PAGE;
      value = value << 8 | slabs[page / PAGES_PER_SLAB].get(at) & 0xFF;
    }
    return value;
  }

  ViewBudget views() {
    return views;
  }

  /** Removes every block of a file that is closed already. */
  void remove(BlockFile file) {
    lock.lock();
    try {
      Map<Long, CachedBlock> ofFile = blocks.remove(file);
      if (ofFile != null) {
        ofFile.values().forEach(this::drop);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Empties this part; its memory goes back with the last pin. */
  void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      List<CachedBlock> all = new ArrayList<>();
      blocks.values().forEach(ofFile -> all.addAll(ofFile.values()));
      blocks.clear();
      all.forEach(this::drop);
      closeMemory();
    } finally {
      lock.unlock();
    }
  }

  /** The figures of this part, added to those of the others. */
  void addTo(BlockCache.Figures.Sum sum) {
    lock.lock();
    try {
      sum.blocks += count;
      sum.blockBytes += blockBytes;
      sum.usedBytes += (long) (pagesTaken - freeCount) * PAGE;
      sum.allocatedBytes += memory.bytes();
      sum.capacityBytes += (long) capacity * PAGE;
    } finally {
      lock.unlock();
    }
  }
}
