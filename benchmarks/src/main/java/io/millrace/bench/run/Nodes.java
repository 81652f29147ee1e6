package io.millrace.bench.run;

import io.millrace.bench.scenario.Tree;
import java.nio.file.Path;
import java.util.Map;

/** Starts nodes. One at a time: the runner never lets one run while another is measured. */
@FunctionalInterface
public interface Nodes {
  /**
   * Starts a node on an empty home and returns once it answers.
   *
   * @param tree STOCK or MILLRACE
   * @param home the node's own folder (configuration, data, logs); does not exist yet
   * @param settings static settings beyond those every node of the bench has
   */
  BenchNode start(Tree tree, Path home, Map<String, String> settings);
}
