package io.millrace.write.primarykeyfilter;

import java.util.concurrent.atomic.LongAdder;

/** What the filters of a node count. */
final class PrimaryKeyFilterCounters {
  private final LongAdder appended = new LongAdder();
  private final LongAdder lookedUp = new LongAdder();
  private final LongAdder noted = new LongAdder();

  /** A filter was asked for an id of the sender's own. */
  void asked(boolean isNew) {
    (isNew ? appended : lookedUp).increment();
  }

  /** An id was noted, and the filter not asked. */
  void note() {
    noted.increment();
  }

  long appended() {
    return appended.sum();
  }

  long lookedUp() {
    return lookedUp.sum();
  }

  long noted() {
    return noted.sum();
  }
}
