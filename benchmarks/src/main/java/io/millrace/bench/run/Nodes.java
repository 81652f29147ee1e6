package io.millrace.bench.run;

import io.millrace.bench.scenario.Side;
import java.nio.file.Path;

/** Starts nodes. One at a time: the runner never lets one run while another is measured. */
@FunctionalInterface
public interface Nodes {
  /**
   * Starts a node on an empty home and returns once it answers.
   *
   * @param side its tree (STOCK or MILLRACE), JVM profile and static settings
   * @param home the node's own folder (configuration, data, logs); does not exist yet
   */
  BenchNode start(Side side, Path home);
}
