package io.millrace.pipelines.retention;

import io.millrace.kernel.NodeServices;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.support.ListenerTimeouts;
import org.opensearch.cluster.ClusterChangedEvent;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.threadpool.ThreadPool;

/**
 * What was done, and why: every entry in this node's log and in {@link JournalIndex}, and the
 * newest ones in the memory of the elected cluster manager, for reports. A node that is elected
 * reads what the managers before it wrote.
 *
 * <p>What cannot be written yet, because the index is blocked on a full disk for instance, waits in
 * memory and is written after a later change of the cluster or look of retention.
 */
final class Journal implements ClusterStateListener {
  private static final Logger LOG = LogManager.getLogger(Journal.class);

  /** Entries in memory. */
  private static final int SHOWN = 1_000;

  private static final TimeValue BETWEEN_READS = TimeValue.timeValueSeconds(1);

  /** The journal holds no deletion back for longer. */
  private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(30);

  private final int most;
  private final Map<String, Map<String, Object>> entries = new LinkedHashMap<>();
  private final Map<String, Map<String, Object>> waiting = new LinkedHashMap<>();
  private final AtomicBoolean writing = new AtomicBoolean();
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile boolean read;
  private long order;
  private @Nullable NodeServices services;
  private @Nullable JournalIndex index;

  /**
   * Begins empty.
   *
   * @param most entries that the index keeps
   */
  Journal(int most) {
    this.most = most;
  }

  void start(NodeServices node) {
    services = node;
    index = new JournalIndex(node);
    node.clusterService().addListener(this);
  }

  private NodeServices node() {
    return Objects.requireNonNull(services);
  }

  private JournalIndex index() {
    return Objects.requireNonNull(index);
  }

  /** Reads the journal when this node is elected, and writes what waited for the index. */
  @Override
  public void clusterChanged(ClusterChangedEvent event) {
    ClusterState state = event.state();
    if (!state.nodes().isLocalNodeElectedClusterManager()) {
      forget();
    } else if (!read) {
      background(() -> read(state));
    }
    if (someWait() && JournalIndex.writable(state)) {
      background(() -> write(() -> {}));
    }
  }

  private <T> ActionListener<T> bounded(ActionListener<T> listener) {
    return ListenerTimeouts.wrapWithTimeout(
        node().threadPool(), listener, PATIENCE, ThreadPool.Names.GENERIC, "the journal");
  }

  private void background(Runnable task) {
    try {
      node().threadPool().executor(ThreadPool.Names.GENERIC).execute(task);
    } catch (RuntimeException closing) {
      LOG.debug("the journal is closed", closing);
    }
  }

  private void forget() {
    synchronized (entries) {
      read = false;
      entries.clear();
      entries.putAll(waiting);
    }
  }

  private boolean someWait() {
    synchronized (entries) {
      return !waiting.isEmpty();
    }
  }

  private void read(ClusterState state) {
    if (JournalIndex.absent(state)) {
      read = true;
    } else if (JournalIndex.readable(state) && reading.compareAndSet(false, true)) {
      index()
          .newest(
              SHOWN,
              bounded(
                  ActionListener.wrap(
                      found -> {
                        older(found);
                        reading.set(false);
                      },
                      failure -> {
                        LOG.debug("the journal cannot be read yet", failure);
                        readLater();
                      })));
    }
  }

  /**
   * After an election shards can fail a search for a moment, and no further state may come. Until
   * then nobody else reads, however many states come.
   */
  private void readLater() {
    try {
      node().threadPool().schedule(this::readAgain, BETWEEN_READS, ThreadPool.Names.GENERIC);
    } catch (RuntimeException closing) {
      LOG.debug("the journal is closed", closing);
    }
  }

  private void readAgain() {
    reading.set(false);
    ClusterState state = node().clusterService().state();
    if (!read && state.nodes().isLocalNodeElectedClusterManager()) {
      read(state);
    }
  }

  /** Puts what was written before in front of what this node added since. */
  private void older(Map<String, Map<String, Object>> found) {
    synchronized (entries) {
      // the clock of the manager before may be ahead of this node's
      found.values().forEach(entry -> order = Math.max(order, order(entry)));
      Map<String, Map<String, Object>> newer = new LinkedHashMap<>(entries);
      found.keySet().removeAll(newer.keySet());
      entries.clear();
      entries.putAll(found);
      entries.putAll(newer);
      shorten(entries);
      read = true;
    }
  }

  private static long order(Map<String, Object> entry) {
    return entry.get(JournalIndex.ORDER) instanceof Number number ? number.longValue() : 0;
  }

  /**
   * Adds an entry.
   *
   * @param result {@code done}, or what went wrong
   * @param now milliseconds since the epoch
   * @param then called once the entry is in the index, or cannot be now
   */
  void add(Plan.Step step, String result, long now, Runnable then) {
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
    // the same failure again is the same entry: an index that cannot go is no reason to forget
    String id = (result.equals("done") ? "done-" : "failed-") + step.action() + "-" + step.uuid();
    synchronized (entries) {
      order = Math.max(order + 1, now * 1_000);
      entry.put(JournalIndex.ORDER, order);
      last(entries, id, entry);
      last(waiting, id, entry);
    }
    write(then);
  }

  private static void last(
      Map<String, Map<String, Object>> map, String id, Map<String, Object> entry) {
    map.remove(id);
    map.put(id, entry);
    shorten(map);
  }

  private static void shorten(Map<String, Map<String, Object>> map) {
    var oldest = map.keySet().iterator();
    for (int over = map.size() - SHOWN; over > 0; over--) {
      oldest.next();
      oldest.remove();
    }
  }

  private void write(Runnable then) {
    if (!JournalIndex.writable(node().clusterService().state())
        || !writing.compareAndSet(false, true)) {
      then.run();
      return;
    }
    Map<String, Map<String, Object>> batch;
    synchronized (entries) {
      batch = new LinkedHashMap<>(waiting);
    }
    Runnable end =
        () -> {
          writing.set(false);
          then.run();
        };
    if (batch.isEmpty()) {
      end.run();
      return;
    }
    index()
        .write(
            batch,
            bounded(
                ActionListener.wrap(
                    written -> {
                      synchronized (entries) {
                        // an entry that was replaced meanwhile waits on
                        written.forEach(id -> waiting.remove(id, batch.get(id)));
                      }
                      end.run();
                    },
                    failure -> {
                      LOG.warn("retention: the journal is not written yet", failure);
                      end.run();
                    })));
  }

  /** Writes what waits and removes what is too old, and then goes on whatever comes of it. */
  void settle(Runnable then) {
    write(() -> {
      ClusterState state = node().clusterService().state();
      if (JournalIndex.readable(state) && JournalIndex.writable(state)) {
        trim(then);
      } else {
        then.run();
      }
    });
  }

  private void trim(Runnable then) {
    index()
        .keep(
            most,
            bounded(
                ActionListener.wrap(
                    done -> then.run(),
                    failure -> {
                      LOG.debug("old entries of the journal stay for now", failure);
                      then.run();
                    })));
  }

  /** Whether the entries of the managers before are among those of the report. */
  boolean complete() {
    return read;
  }

  /** The latest entries, the newest last. */
  List<Map<String, Object>> report() {
    List<Map<String, Object>> out = new ArrayList<>();
    synchronized (entries) {
      for (Map<String, Object> entry : entries.values()) {
        Map<String, Object> shown = new LinkedHashMap<>(entry);
        shown.remove(JournalIndex.ORDER);
        out.add(shown);
      }
    }
    return out;
  }
}
