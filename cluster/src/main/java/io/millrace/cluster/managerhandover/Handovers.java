package io.millrace.cluster.managerhandover;

import io.millrace.kernel.settings.Switch;
import java.util.concurrent.atomic.LongAdder;

/** What the action of a node shares with the feature: the switch and what is counted. */
public final class Handovers {
  final Switch enabled;
  final LongAdder done = new LongAdder();
  final LongAdder missed = new LongAdder();

  Handovers(Switch enabled) {
    this.enabled = enabled;
  }

  /**
   * @throws IllegalArgumentException when the feature is off
   */
  void requireOn() {
    if (!enabled.on()) {
      throw new IllegalArgumentException(
          "the cluster manager is not handed over: ["
              + enabled.knob().key()
              + "] is false; set it to true first");
    }
  }
}
