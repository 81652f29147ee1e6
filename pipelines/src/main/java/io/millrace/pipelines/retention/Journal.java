package io.millrace.pipelines.retention;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** What this node did, and why: the latest entries for reports, and every entry in its log. */
final class Journal {
  private static final Logger LOG = LogManager.getLogger(Journal.class);
  private static final int KEPT = 1_000;

  private final Deque<Map<String, Object>> entries = new ArrayDeque<>();

  /**
   * Adds an entry.
   *
   * @param result {@code done}, or what went wrong
   * @param now milliseconds since the epoch
   */
  void add(Plan.Step step, String result, long now) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("time", Instant.ofEpochMilli(now).toString());
    entry.putAll(step.report());
    entry.put("result", result);
    LOG.info(
        "retention: {} [{}] of {} bytes by rule [{}], because {}: {}",
        step.action(),
        step.target(),
        step.bytes(),
        step.rule(),
        step.reason(),
        result);
    synchronized (entries) {
      entries.addLast(entry);
      if (entries.size() > KEPT) {
        entries.removeFirst();
      }
    }
  }

  /** The latest entries, the newest last. */
  List<Map<String, Object>> report() {
    synchronized (entries) {
      return new ArrayList<>(entries);
    }
  }
}
