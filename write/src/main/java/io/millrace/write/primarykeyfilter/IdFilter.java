package io.millrace.write.primarykeyfilter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.apache.lucene.util.BytesRef;
import org.opensearch.common.hash.T1ha1;

/**
 * A set of ids that may err on one side: it says of some ids that it holds them although it does
 * not, and never the reverse.
 *
 * <p>A split block Bloom filter (Putze, Sanders, Singler: Cache-, Hash- and Space-Efficient Bloom
 * Filters, 2007; the eight lanes of 32 bits are those of the Parquet format): an id sets eight bits
 * of one block of 32 bytes, so a question costs one cache line. At {@value #BITS_PER_ID} bits for
 * an id less than 1 % of the answers err.
 *
 * <p>It grows by layers, each as large as all before it (Almeida et al.: Scalable Bloom Filters,
 * 2007); ids go into the last one and are looked for in all, so 100 million ids cost 14 layers at
 * worst, and one if they were announced. Bits are only ever set. Threads may add different ids at
 * the same time; for the same id the caller orders the calls, as the engine does by its lock.
 */
final class IdFilter {
  /** What an id costs while a layer is full. */
  static final int BITS_PER_ID = 16;

  /** The ids for which the smallest layer is made: 32 KiB. */
  static final int LEAST_IDS = 16_384;

  private static final int LONGS_PER_BLOCK = 4;
  private static final int LANE_BITS = 32;
  // odd, random: one multiplication for each lane of a block
  private static final int[] SALTS = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
  };
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int SAMPLE = 16;

  private record Layer(long[] words, long blocks) {}

  private final long seed;
  private final LongPredicate reserve;
  // an estimate: one id in SAMPLE is counted, for all of them
  private final AtomicLong ids = new AtomicLong();
  private volatile Layer[] layers = {};
  private volatile long capacity;
  private volatile boolean full;

  /**
   * @param expected how many ids will come at least
   * @param seed makes the places of ids unknown to who chooses the ids
   * @param reserve asked for the bytes of every layer before it is made; where it refuses, the
   *     filter is {@link #full}
   */
  IdFilter(long expected, long seed, LongPredicate reserve) {
    this.seed = seed;
    this.reserve = reserve;
    grow(Math.max(expected, LEAST_IDS));
  }

  /** The hash that the other methods take. */
  long hash(BytesRef id) {
    return T1ha1.hash(id.bytes, id.offset, id.length, seed);
  }

  /**
   * Adds an id.
   *
   * @return whether it was certainly not there
   */
  boolean add(long hash) {
    Layer[] seen = layers;
    int last = seen.length - 1;
    if (last < 0) {
      return false;
    }
    for (int i = 0; i < last; i++) {
      if (contains(seen[i], hash)) {
        return false;
      }
    }
    boolean added = set(seen[last], hash);
    if (added && sampled(hash) && ids.addAndGet(SAMPLE) > capacity) {
      growBeyond(seen.length);
    }
    return added;
  }

  /** Whether an id is one of those that stand for all in samples: one in sixteen. */
  static boolean sampled(long hash) {
    return (hash & (SAMPLE - 1) << 3) == 0;
  }

  /** Whether a layer that was needed was refused: more ids make the answers worse and worse. */
  boolean full() {
    return full;
  }

  /** About how many different ids it holds. */
  long ids() {
    return ids.get();
  }

  /** What the layers take. */
  long bytes() {
    return Arrays.stream(layers).mapToLong(layer -> (long) layer.words.length * Long.BYTES).sum();
  }

  private synchronized void growBeyond(int known) {
    // another thread may have added the layer that this one asks for
    if (layers.length == known && !full) {
      grow(capacity);
    }
  }

  private synchronized void grow(long forIds) {
    long blocks = Math.ceilDiv(forIds * BITS_PER_ID, (long) LONGS_PER_BLOCK * Long.SIZE);
    long longs = blocks * LONGS_PER_BLOCK;
    if (longs > Integer.MAX_VALUE - Long.BYTES || !reserve.test(longs * Long.BYTES)) {
      full = true;
      return;
    }
    Layer[] grown = Arrays.copyOf(layers, layers.length + 1);
    grown[layers.length] = new Layer(new long[(int) longs], blocks);
    capacity += forIds;
    layers = grown;
  }

  private static int block(Layer layer, long hash) {
    return (int) (((hash >>> 32) * layer.blocks) >>> 32) * LONGS_PER_BLOCK;
  }

  private static long bits(int word, long hash) {
    int key = (int) hash;
    int low = key * SALTS[2 * word] >>> 27;
    int high = key * SALTS[2 * word + 1] >>> 27;
    return 1L << low | 1L << (LANE_BITS + high);
  }

  private static boolean contains(Layer layer, long hash) {
    int block = block(layer, hash);
    for (int i = 0; i < LONGS_PER_BLOCK; i++) {
      long bits = bits(i, hash);
      if (((long) WORDS.getOpaque(layer.words, block + i) & bits) != bits) {
        return false;
      }
    }
    return true;
  }

  private static boolean set(Layer layer, long hash) {
    int block = block(layer, hash);
    boolean added = false;
    for (int i = 0; i < LONGS_PER_BLOCK; i++) {
      long bits = bits(i, hash);
      if (((long) WORDS.getOpaque(layer.words, block + i) & bits) != bits) {
        added = true;
        WORDS.getAndBitwiseOr(layer.words, block + i, bits);
      }
    }
    return added;
  }
}
