package io.millrace.it.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.testkit.cluster.ClusterNode;
import java.time.Duration;

/** The time of day of one node jumps, and jumps back at the end. */
final class ClockJump implements Fault {
  private final Breakage breakage;
  private final ClusterNode node;
  private final Duration offset;

  ClockJump(Breakage breakage, ClusterNode node, Duration offset) {
    this.breakage = breakage;
    this.node = node;
    this.offset = offset;
  }

  @Override
  public String describe() {
    return "the clock of " + node.name() + " jumps by " + offset.toSeconds() + " s";
  }

  @Override
  public void begin() {
    breakage.clock(offset);
  }

  /** Asks the node itself what time it is. */
  @Override
  public void verify() {
    JsonNode nodes = node.http().get("/_nodes/_local/stats/process").ok().at("/nodes");
    long says = nodes.iterator().next().path("timestamp").asLong();
    long off = says - System.currentTimeMillis();
    if (Math.abs(off - offset.toMillis()) > Math.abs(offset.toMillis()) / 2) {
      throw new AssertionError(node.name() + " is " + off + " ms off, not " + offset.toMillis());
    }
  }

  @Override
  public void end() {
    breakage.clock(Duration.ZERO);
  }

  @Override
  public boolean isolates() {
    return false;
  }
}
