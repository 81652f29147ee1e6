package io.millrace.storage.offheapcache;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The cache of one node for decoded blocks of its segments: bytes outside the heap, never more than
 * the bound, with admission and eviction by frequency ({@link CacheStripe}).
 *
 * <p>Why it exists although the operating system caches files: the page cache holds compressed
 * blocks, and decoding 32 KiB to return one document of 400 bytes is most of the cost of a fetch.
 *
 * <p>A resize builds the cache anew: blocks are decoded again when they are next asked for. Memory
 * of the old one goes back as soon as the last reader that is just copying lets go, which takes
 * microseconds; in that time both may hold memory.
 *
 * <p>Heap: about 150 bytes per block and 2 bytes per page (0.5 % of the bound for blocks of 32
 * KiB), and the views that readers attach, which have a bound of their own.
 */
public final class BlockCache implements AutoCloseable {
  private static final int MAX_STRIPES = 64;
  private static final long MIN_STRIPE_BYTES = 16L << 20;

  private final CacheCounters counters = new CacheCounters();
  private final AtomicLong files = new AtomicLong();
  private volatile CacheStripe @Nullable [] stripes;

  private final ViewBudget views;

  /** A cache that holds nothing until {@link #resize}; views take at most 2 % of the heap. */
  public BlockCache() {
    this(Runtime.getRuntime().maxMemory() / 50);
  }

  /**
   * A cache that holds nothing until {@link #resize}.
   *
   * @param viewBytes heap that the views of all blocks may take ({@link CachedBlock#attach})
   */
  public BlockCache(long viewBytes) {
    views = new ViewBudget(viewBytes);
  }

  /**
   * What the cache holds.
   *
   * @param blocks decoded blocks
   * @param blockBytes their plain bytes
   * @param usedBytes bytes of the pages they take, with pages that are being filled or still pinned
   * @param allocatedBytes memory taken from the operating system, at most capacityBytes
   * @param capacityBytes the bound
   */
  public record Figures(
      long blocks, long blockBytes, long usedBytes, long allocatedBytes, long capacityBytes) {
    static final class Sum {
      long blocks;
      long blockBytes;
      long usedBytes;
      long allocatedBytes;
      long capacityBytes;
    }
  }

  /**
   * Gives the cache a new bound and empties it; 0 switches it off.
   *
   * @param bytes the bound; the cache takes whole pages of 4 KiB and never exceeds it
   */
  public synchronized void resize(long bytes) {
    CacheStripe[] before = stripes;
    stripes = null;
    if (before != null) {
      for (CacheStripe stripe : before) {
        stripe.close();
      }
    }
    if (bytes < CacheStripe.PAGE) {
      return;
    }
    int number = 1;
    int wanted = Math.min(MAX_STRIPES, 2 * Runtime.getRuntime().availableProcessors());
    while (number < wanted && bytes / (2 * number) >= MIN_STRIPE_BYTES) {
      number *= 2;
    }
    long pages = bytes / CacheStripe.PAGE;
    CacheStripe[] after = new CacheStripe[number];
    for (int i = 0; i < number; i++) {
      long share = pages / number + (i < pages % number ? 1 : 0);
      after[i] = new CacheStripe((int) Math.min(Integer.MAX_VALUE / 4, share), counters, views);
    }
    stripes = after;
  }

  /** Switches the cache off for good; memory goes back. */
  @Override
  public void close() {
    resize(0);
  }

  /** A file whose blocks may be cached from now on. */
  public BlockFile open() {
    return new BlockFile(this, files.incrementAndGet());
  }

  public Figures figures() {
    Figures.Sum sum = new Figures.Sum();
    CacheStripe[] now = stripes;
    if (now != null) {
      for (CacheStripe stripe : now) {
        stripe.addTo(sum);
      }
    }
    return new Figures(
        sum.blocks, sum.blockBytes, sum.usedBytes, sum.allocatedBytes, sum.capacityBytes);
  }

  /** Heap that views take now, bytes. */
  public long viewBytes() {
    return views.held();
  }

  CacheCounters counters() {
    return counters;
  }

  @Nullable CachedBlock get(BlockFile file, long position, long hash) {
    CacheStripe[] now = stripes;
    return now == null ? null : stripe(now, hash).get(file, position, hash);
  }

  void put(
      BlockFile file, long position, long hash, long next, byte[] bytes, int offset, int length) {
    CacheStripe[] now = stripes;
    if (now != null) {
      stripe(now, hash).put(file, position, hash, next, bytes, offset, length);
    }
  }

  void remove(BlockFile file) {
    CacheStripe[] now = stripes;
    if (now != null) {
      for (CacheStripe stripe : now) {
        stripe.remove(file);
      }
    }
  }

  private static CacheStripe stripe(CacheStripe[] all, long hash) {
    return all[(int) (hash >>> 48) & all.length - 1];
  }
}
