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
      };

  /**
   * How many bodies may be held in any case, and how long the queue may be for more; at least 1.
   */
  int most();

  /** How many of the node's tasks wait for a thread now. */
  int queued();
}
