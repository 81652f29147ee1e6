package io.millrace.it.chaos;

import io.millrace.it.chaos.Histories.Key;
import io.millrace.it.chaos.Linearization.Verdict;
import io.millrace.it.chaos.Operation.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says which answers cannot be true together.
 *
 * <p>What is asked of every run, whatever the faults:
 *
 * <ul>
 *   <li>The acknowledged writes of a document, its conditional ones included, and what is read of
 *       it after everything has healed are linearizable ({@link Linearization}).
 *   <li>The numbers of acknowledged writes rise as time goes on, and no two are the same.
 *   <li>Nothing is read that nobody wrote, or before it was written.
 *   <li>No read is stale: it gives no version that an acknowledged write had replaced before it
 *       began.
 * </ul>
 *
 * <p>OpenSearch promises three things less. A node that is cut off or stopped answers reads from
 * what it has until it knows better: stale reads while {@link Windows#isolated} are counted apart.
 * So are those of an index with segment replication while {@link Windows#disturbed}: a replica that
 * becomes primary answers from its segments before it has replayed its translog. A read may see a
 * write before it is acknowledged, and such a write may be undone when its primary fails: a read is
 * held to linearizability only if it, and the write that it saw, fell into a time without faults
 * ({@link Windows#disturbed}), and if it asked the primary ({@link #STRICT}).
 */
final class Checker {
  /** Part of the name of an index with segment replication. */
  static final String SEGMENT = "segment";

  /** Ends the name of who read from the primary. */
  static final String STRICT = " _primary";

  /** Begins the name of who read after everything has healed. */
  static final String FINAL = "final ";

  private static final int SHOWN = 60;

  private final Windows windows;
  private final List<Violation> violations = new ArrayList<>();
  private final List<Violation> excused = new ArrayList<>();
  private final long origin;
  private int held;

  /**
   * @param windows when there were faults
   * @param origin the run's first moment, for messages
   */
  Checker(Windows windows, long origin) {
    this.windows = windows;
    this.origin = origin;
  }

  /** Looks at every document and at the numbers of every index, which has one shard. */
  Checker check(Histories histories) {
    Map<String, Map<Long, String>> numbers = new HashMap<>();
    for (Key key : histories.keys()) {
      List<Operation> operations = histories.of(key);
      check(key, operations);
      uniqueNumbers(key, operations, numbers.computeIfAbsent(key.index(), i -> new HashMap<>()));
    }
    return this;
  }

  /** What is broken. */
  List<Violation> violations() {
    return violations;
  }

  /** Stale reads where OpenSearch does not promise that there are none. */
  List<Violation> excused() {
    return excused;
  }

  /** How many reads during the run were held to linearizability. */
  int heldReads() {
    return held;
  }

  private void check(Key key, List<Operation> operations) {
    invented(key, operations);
    risingNumbers(key, operations);
    operations.stream().filter(Operation::isRead).forEach(read -> fresh(key, read, operations));
    linearizable(key, operations);
  }

  private void invented(Key key, List<Operation> operations) {
    Map<Long, Operation> writers = new HashMap<>();
    operations.stream()
        .filter(operation -> !operation.isRead() && operation.kind() != Kind.DELETE)
        .forEach(write -> writers.put(write.value(), write));
    for (Operation read : operations) {
      if (read.isRead() && read.value() != Operation.ABSENT) {
        Operation writer = writers.get(read.value());
        if (writer == null || writer.start() > read.end()) {
          report(Violation.Kind.INVENTED, key, "nobody had written " + read.told(origin));
        }
      }
    }
  }

  /** Of two acknowledged writes that did not overlap, the later has the higher number. */
  private void risingNumbers(Key key, List<Operation> operations) {
    List<Operation> byStart =
        operations.stream()
            .filter(Operation::isAcknowledged)
            .sorted(Comparator.comparingLong(Operation::start))
            .toList();
    List<Operation> byEnd =
        byStart.stream().sorted(Comparator.comparingLong(Operation::end)).toList();
    Operation highest = null;
    int ended = 0;
    for (Operation write : byStart) {
      while (byEnd.get(ended).end() < write.start()) {
        Operation before = byEnd.get(ended++);
        highest = highest == null || later(before, highest) ? before : highest;
      }
      if (highest != null && rolledBack(highest, write, operations)) {
        report(
            Violation.Kind.NUMBERS,
            key,
            "after " + highest.told(origin) + " came " + write.told(origin));
      }
    }
  }

  private static boolean later(Operation one, Operation other) {
    return one.stamp().compareTo(other.stamp()) > 0;
  }

  /** A version may start again after a delete, a number may not. */
  private static boolean rolledBack(Operation before, Operation after, List<Operation> operations) {
    Stamp one = before.stamp();
    Stamp two = after.stamp();
    return two.seqNo() <= one.seqNo()
        || two.primaryTerm() < one.primaryTerm()
        || two.version() <= one.version()
            && before.kind() != Kind.DELETE
            && !deletedLater(before, after, operations);
  }

  private void uniqueNumbers(Key key, List<Operation> operations, Map<Long, String> seen) {
    for (Operation write : operations) {
      if (write.isAcknowledged()) {
        String told = key + " " + write.told(origin);
        String other = seen.put(write.stamp().seqNo(), told);
        if (other != null) {
          report(Violation.Kind.NUMBERS, key, "one number twice: " + other + " and " + told);
        }
      }
    }
  }

  private void fresh(Key key, Operation read, List<Operation> operations) {
    for (Operation write : operations) {
      if (!write.isAcknowledged() || write.end() >= read.start() || !missedBy(read, write)) {
        continue;
      }
      if (read.value() == Operation.ABSENT && deletedLater(write, read, operations)) {
        continue;
      }
      boolean last = read.by().startsWith(FINAL);
      Violation.Kind kind =
          !last
              ? Violation.Kind.STALE
              : write.kind() == Kind.DELETE ? Violation.Kind.RESURRECTED : Violation.Kind.LOST;
      String text = write.told(origin) + " was not seen by " + read.told(origin);
      if (!last && isExcused(key, read)) {
        excused.add(new Violation(kind, key.toString(), text));
      } else {
        report(kind, key, text);
      }
      return;
    }
  }

  private boolean isExcused(Key key, Operation read) {
    return windows.isolated(read.start(), read.end())
        || key.index().contains(SEGMENT) && windows.disturbed(read.start(), read.end());
  }

  /** A write that was tried twice after its primary failed may be read under both numbers. */
  private static boolean missedBy(Operation read, Operation write) {
    return read.value() == Operation.ABSENT
        ? write.kind() != Kind.DELETE
        : write.value() != read.value() && write.stamp().compareTo(read.stamp()) > 0;
  }

  private static boolean deletedLater(Operation write, Operation read, List<Operation> operations) {
    return operations.stream()
        .anyMatch(other ->
            other.kind() == Kind.DELETE
                && other.start() < read.end()
                && (other.isUnknown() || later(other, write)));
  }

  private void linearizable(Key key, List<Operation> operations) {
    List<Operation> bound = bound(operations);
    Linearization search = Linearization.of(bound);
    if (search.verdict() == Verdict.FOUND) {
      return;
    }
    StringBuilder text = new StringBuilder("no order explains all of it; not explained:");
    search.unexplained().stream()
        .limit(SHOWN)
        .forEach(left -> text.append("\n    ").append(left.told(origin)));
    text.append("\n  of:");
    bound.stream()
        .sorted(Comparator.comparingLong(Operation::start))
        .forEach(operation -> text.append("\n    ").append(operation.told(origin)));
    report(
        search.verdict() == Verdict.NONE
            ? Violation.Kind.NOT_LINEARIZABLE
            : Violation.Kind.UNDECIDED,
        key,
        text.toString());
  }

  /** The operations that any order has to explain. */
  private List<Operation> bound(List<Operation> operations) {
    List<Operation> bound =
        new ArrayList<>(operations.stream().filter(Operation::isAcknowledged).toList());
    List<Operation> reads =
        operations.stream().filter(read -> read.isRead() && binds(read, operations)).toList();
    held += (int) reads.stream().filter(read -> !read.by().startsWith(FINAL)).count();
    bound.addAll(reads);
    // an unknown write that nobody saw explains nothing; a delete may have made room
    Set<Long> seen = new HashSet<>();
    bound.forEach(
        operation -> seen.add(operation.isRead() ? operation.value() : operation.expected()));
    boolean grown = true;
    Set<Operation> added = new HashSet<>();
    while (grown) { // one unknown write may have seen another
      grown = false;
      for (Operation write : operations) {
        boolean useful = write.kind() == Kind.DELETE || seen.contains(write.value());
        if (write.isUnknown() && useful && added.add(write)) {
          seen.add(write.expected());
          grown = true;
        }
      }
    }
    bound.addAll(added);
    return bound;
  }

  private boolean binds(Operation read, List<Operation> operations) {
    if (read.by().startsWith(FINAL)) {
      return true;
    }
    if (!read.by().endsWith(STRICT) || windows.disturbed(read.start(), read.end())) {
      return false;
    }
    return operations.stream()
        .filter(write -> !write.isRead() && write.start() < read.end())
        .filter(write ->
            read.value() == Operation.ABSENT
                ? write.kind() == Kind.DELETE
                : write.kind() != Kind.DELETE && write.value() == read.value())
        .noneMatch(write -> write.isUnknown() || windows.disturbed(write.start(), write.end()));
  }

  private void report(Violation.Kind kind, Key key, String text) {
    violations.add(new Violation(kind, key.toString(), text));
  }
}
