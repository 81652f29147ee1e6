package io.millrace.cluster.balance;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The last moves of this cluster manager, or those that a dry run would have made, and why. */
final class MoveLog {
  /** Moves that are kept. */
  static final int KEPT = 100;

  private final Deque<Move> moves = new ArrayDeque<>();
  private final LongAdder made = new LongAdder();

  /**
   * One move.
   *
   * @param dry whether it was only planned
   * @param from the node's name and what it had before the move
   * @param to the node's name and what it had before the move
   * @param gain what the move saves, by resource
   */
  record Move(
      long timeMillis,
      boolean dry,
      String index,
      int shard,
      boolean primary,
      double write,
      double bytes,
      Side from,
      Side to,
      ClusterLoad.Gain gain) {
    Map<String, Object> report() {
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("time_ms", timeMillis);
      report.put("dry_run", dry);
      report.put("index", index);
      report.put("shard", shard);
      report.put("primary", primary);
      report.put("write_load", rounded(write));
      report.put("bytes", (long) bytes);
      report.put("because", gain.reason());
      report.put(
          "saves",
          Map.of(
              "write_load", rounded(gain.write()),
              "bytes", rounded(gain.bytes()),
              "shards", rounded(gain.shards()),
              "spread", rounded(gain.crowding())));
      report.put("from", from.report());
      report.put("to", to.report());
      return report;
    }
  }

  /** A node as it was when a move was decided. */
  record Side(String node, double write, double bytes, int shards) {
    static Side of(NodeLoad node) {
      return new Side(node.node.node().getName(), node.write(), node.bytes(), node.shards());
    }

    Map<String, Object> report() {
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("node", node);
      report.put("write_load", rounded(write));
      report.put("bytes", (long) bytes);
      report.put("shards", shards);
      return report;
    }
  }

  /** To four digits after the point, for people. */
  static double rounded(double value) {
    return Math.round(value * 10_000) / 10_000.0;
  }

  synchronized void add(Move move) {
    if (!move.dry()) {
      made.increment();
    }
    moves.addFirst(move);
    if (moves.size() > KEPT) {
      moves.removeLast();
    }
  }

  /** Forgets what earlier rounds only planned: each one plans anew. */
  synchronized void forgetPlans() {
    moves.removeIf(Move::dry);
  }

  /** Moves that were made since the node started. */
  long made() {
    return made.sum();
  }

  /** The last moves, the newest first. */
  synchronized List<Move> last() {
    return new ArrayList<>(moves);
  }
}
