package io.millrace.guard.inbound;

/** What a line of bodies is to wait for besides bytes; asked under a budget's lock, so be quick. */
public interface Pace {
  /** Waits for bytes only. */
  Pace NONE =
      new Pace() {
        @Override
        public int most() {
          return Integer.MAX_VALUE;
        }

        @Override
        public int queued() {
          return 0;
        }

        @Override
        public void later(Runnable look) {
          throw new IllegalStateException("holds nobody back");
        }
      };

  /**
   * How many bodies may be held in any case, and how long the queue may be for more; at least 1.
   */
  int most();

  /** How many of the node's tasks wait for a thread now. */
  int queued();

  /**
   * Has the line looked at again in a moment: nobody is told when the queue becomes short. Called
   * outside of the lock, once for as long as nothing but this holds the line back.
   */
  void later(Runnable look);
}
