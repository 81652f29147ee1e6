package io.millrace.kernel.report;

import java.util.Map;
import java.util.TreeMap;
import org.opensearch.ResourceNotFoundException;

/** What this node can report on, by subject; a component that injection hands to the action. */
public final class LocalReports {
  private final Map<String, NodeReportSource> sources = new TreeMap<>();

  /** Adds a subject; {@code ReportHooks} sees to it that no two features bring the same. */
  public void add(String subject, NodeReportSource source) {
    sources.put(subject, source);
  }

  /**
   * This node's report now.
   *
   * @throws ResourceNotFoundException when the node's plugin does not know the subject
   */
  Map<String, Object> report(String subject) {
    NodeReportSource source = sources.get(subject);
    if (source == null) {
      throw new ResourceNotFoundException("no report [{}] on this node", subject);
    }
    return source.report();
  }
}
