package io.millrace.storage.offheapcache;

import org.jspecify.annotations.Nullable;

/**
 * The blocks of one open file of one segment in the node's cache. Closing it (when the segment's
 * reader is closed) removes them; a file opened again starts empty.
 */
public final class BlockFile implements AutoCloseable {
  private final BlockCache cache;
  private final long seed;
  private volatile boolean closed;

  BlockFile(BlockCache cache, long number) {
    this.cache = cache;
    this.seed = FrequencySketch.mix(number);
  }

  /**
   * The decoded block at a position of the file, pinned; close it after use.
   *
   * @return null if it is not in the cache or the cache is off
   */
  public @Nullable CachedBlock get(long position) {
    return cache.get(this, position, hash(position));
  }

  /**
   * Offers a decoded block; its bytes are copied, if it is admitted. Nothing happens if the cache
   * is off.
   *
   * @param position where the block begins in the file; the key
   * @param next any number that a later reader needs, for example where the input stands afterwards
   */
  public void put(long position, long next, byte[] bytes, int offset, int length) {
    if (!closed) {
      cache.put(this, position, hash(position), next, bytes, offset, length);
    }
  }

  private long hash(long position) {
    return FrequencySketch.mix(seed + position);
  }

  boolean closed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    cache.remove(this);
  }
}
