package io.millrace.kernel.report;

import org.opensearch.core.action.ActionListener;

/** Knows what would free a full disk. Nothing is deleted by asking. */
@FunctionalInterface
public interface DiskRelief {
  /**
   * Finds what would be deleted next.
   *
   * @param node the id of the node whose disk is full
   * @param listener gets a sentence for people without its full stop: names, bytes, and whether it
   *     happens by itself; or fails where that cannot be told now
   */
  void next(String node, ActionListener<String> listener);
}
