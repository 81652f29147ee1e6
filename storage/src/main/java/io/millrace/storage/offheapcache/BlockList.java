package io.millrace.storage.offheapcache;

import org.jspecify.annotations.Nullable;

/** Blocks by the time of their last use, and the pages they take; under the stripe's lock. */
final class BlockList {
  private @Nullable CachedBlock newest;
  private @Nullable CachedBlock oldest;
  private int pages;

  int pages() {
    return pages;
  }

  @Nullable CachedBlock oldest() {
    return oldest;
  }

  /** Puts a block in front; it must be in no list. */
  void add(CachedBlock block) {
    assert block.list == null;
    block.list = this;
    block.previous = null;
    block.following = newest;
    if (newest == null) {
      oldest = block;
    } else {
      newest.previous = block;
    }
    newest = block;
    pages += block.pages.length;
  }

  /** Takes a block out; it must be in this list. */
  void remove(CachedBlock block) {
    assert block.list == this;
    CachedBlock previous = block.previous;
    CachedBlock following = block.following;
    if (previous == null) {
      newest = following;
    } else {
      previous.following = following;
    }
    if (following == null) {
      oldest = previous;
    } else {
      following.previous = previous;
    }
    block.list = null;
    block.previous = null;
    block.following = null;
    pages -= block.pages.length;
  }
}
