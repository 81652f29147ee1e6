package io.millrace.storage.offheapcache;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One decoded block outside the heap, pinned by whoever got it from {@link BlockFile#get}: its
 * memory stays where it is until {@link #close()}, even if the cache evicts the block, is resized
 * or closed meanwhile. Readers of one block do not exclude each other.
 */
public final class CachedBlock implements AutoCloseable {
  final BlockFile file;
  final long position;
  final long hash;
  final int[] pages;
  private final CacheStripe stripe;
  private final int length;
  private final long next;
  private final AtomicInteger references = new AtomicInteger(1);
  private volatile @Nullable Object view;
  private long viewBytes;
  private boolean freed;

  /** The list of the stripe in which this block is, and its neighbours; under the stripe's lock. */
  @Nullable BlockList list;

  @Nullable CachedBlock previous;
  @Nullable CachedBlock following;

  CachedBlock(
      CacheStripe stripe,
      BlockFile file,
      long position,
      long hash,
      long next,
      int length,
      int[] pages) {
    this.stripe = stripe;
    this.file = file;
    this.position = position;
    this.hash = hash;
    this.next = next;
    this.length = length;
    this.pages = pages;
  }

  /** Plain bytes of the block. */
  public int length() {
    return length;
  }

  /** Where the file's input stood after the block was read; what was given to {@code put}. */
  public long next() {
    return next;
  }

  /**
   * Copies a part of the block; nothing but that part is touched.
   *
   * @throws IndexOutOfBoundsException if the part is not within the block or the target
   */
  public void copy(int from, byte[] target, int offset, int count) {
    Objects.checkFromIndexSize(from, count, length);
    stripe.copy(pages, from, target, offset, count);
  }

  /**
   * Eight bytes of the block, the lowest first.
   *
   * @throws IndexOutOfBoundsException if they are not within the block
   */
  public long getLong(int from) {
    Objects.checkFromIndexSize(from, Long.BYTES, length);
    return stripe.getLong(pages, from);
  }

  /** What {@link #attach} gave to the block, or null. */
  public @Nullable Object view() {
    return view;
  }

  /**
   * Keeps something on the heap that a reader made of the block, as long as the block is cached and
   * the views of all blocks fit their bound. Called again, it corrects the size; a view that has
   * outgrown the bound is forgotten. A block that has another view keeps that.
   *
   * @param bytes the heap that it takes now
   */
  public synchronized void attach(Object newView, long bytes) {
    if (freed || view != null && view != newView || view == newView && bytes == viewBytes) {
      return;
    }
    if (stripe.views().resize(viewBytes, bytes)) {
      view = newView;
      viewBytes = bytes;
    } else {
      detach();
    }
  }

  /** Forgets the view. */
  public synchronized void detach() {
    view = null;
    stripe.views().resize(viewBytes, 0);
    viewBytes = 0;
  }

  private synchronized void free() {
    freed = true;
    detach();
    stripe.free(pages);
  }

  void pin() {
    int before = references.getAndIncrement();
    assert before > 0 : "a freed block was pinned";
  }

  /** Lets go of the block; must be called exactly once for each {@code get}. */
  @Override
  public void close() {
    int left = references.decrementAndGet();
    assert left >= 0 : "closed more often than pinned";
    if (left == 0) {
      free();
    }
  }
}
