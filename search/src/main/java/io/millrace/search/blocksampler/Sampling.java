package io.millrace.search.blocksampler;

import java.io.IOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * Which documents of a shard are in the sample.
 *
 * <p>The documents of a shard stand in strata of {@code every} blocks each; of each stratum one
 * block is taken, by the seed. Strata run over the borders of segments, so that every document of a
 * shard is taken with the same chance and counts {@code every} times.
 *
 * @param every one block of this many is taken; the probability is its reciprocal
 * @param seed the same seed takes the same blocks of the same segments
 * @param confidence the share of intervals that hold the true value, 0.5 to 0.999
 * @param minDocs documents that the sample of a shard is expected to have; a shard with fewer is
 *     not sampled
 */
record Sampling(int every, long seed, double confidence, int minDocs) implements Writeable {
  /** Parts of the sample that are kept apart, to see how far they differ. */
  static final int GROUPS = 10;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  Sampling(StreamInput in) throws IOException {
    this(in.readVInt(), in.readLong(), in.readDouble(), in.readVInt());
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeVInt(every);
    out.writeLong(seed);
    out.writeDouble(confidence);
    out.writeVInt(minDocs);
  }

  /**
   * Documents of a block: smaller blocks tell more for each document, larger ones cost less each.
   */
  int block() {
    return every <= 16 ? 64 : every < 64 ? 32 : 16;
  }

  /** Whether a sample of a shard has enough documents: one for each group at least. */
  boolean worthIt(long documents) {
    return documents / every >= Math.max(minDocs, GROUPS);
  }

  /** Documents of a stratum. */
  long stratum() {
    return (long) every * block();
  }

  /**
   * The first document of the block that is taken.
   *
   * @param shard tells shards apart, which otherwise would take blocks at the same places
   */
  long start(long stratum, long shard) {
    long z = seed + GOLDEN * (stratum + 1) + shard * 0xD6E8FEB86659FD93L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    z ^= z >>> 31;
    return stratum * stratum() + Math.floorMod(z, (long) every) * block();
  }

  /** Neighbours go to different groups, so that each group sees every part of the shard. */
  static int group(long stratum) {
    return (int) (stratum % GROUPS);
  }
}
