package io.millrace.it.chaos;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks for an order of the operations on one document that explains every answer: each operation
 * takes effect at one moment between its start and its end, and a {@link Register} that carries
 * them out in this order gives the same answers.
 *
 * <p>The search is that of Wing and Gong (Testing and Verifying Concurrent Objects, 1993) with
 * Lowe's memory of what was tried (Testing for linearizability, 2017): a set of operations that
 * leads to the same state in two orders is followed once. An operation of unknown outcome may come
 * anywhere after its start, or be left out. A read that fits is taken at once, because it changes
 * nothing for the others.
 */
final class Linearization {
  /** What the search found. */
  enum Verdict {
    /** There is such an order. */
    FOUND,
    /** There is none. */
    NONE,
    /** The search ended at its limit. */
    UNDECIDED
  }

  private static final int STATES = 300_000;

  private record Tried(BitSet done, long state) {}

  /** What has been done, the state it led to, and the operations that may come next. */
  private record Step(BitSet done, long state, Deque<Integer> next) {}

  private final List<Operation> operations;
  private final Set<Tried> tried = new HashSet<>();
  private final Verdict verdict;
  private BitSet longest = new BitSet();

  private Linearization(List<Operation> all) {
    operations = all.stream().sorted(Comparator.comparingLong(Operation::start)).toList();
    verdict = search();
  }

  /** Searches an order of these operations on a document that is absent at first. */
  static Linearization of(List<Operation> operations) {
    return new Linearization(operations);
  }

  Verdict verdict() {
    return verdict;
  }

  /** Of the longest order that explains a part: the operations that could not follow it. */
  List<Operation> unexplained() {
    List<Operation> left = new ArrayList<>();
    for (int i = longest.nextClearBit(0); i < operations.size(); i = longest.nextClearBit(i + 1)) {
      if (!operations.get(i).isUnknown()) {
        left.add(operations.get(i));
      }
    }
    return left;
  }

  private Verdict search() {
    Deque<Step> path = new ArrayDeque<>();
    path.push(step(new BitSet(), Operation.ABSENT));
    while (!path.isEmpty()) {
      Step step = path.peek();
      if (complete(step.done())) {
        return Verdict.FOUND;
      }
      Integer next = step.next().poll();
      if (next == null) {
        path.pop();
        continue;
      }
      long state = operations.get(next).appliedTo(step.state());
      if (state == Register.REFUSED) {
        continue;
      }
      BitSet done = (BitSet) step.done().clone();
      done.set(next);
      if (tried.size() >= STATES) {
        return Verdict.UNDECIDED;
      }
      if (tried.add(new Tried(done, state))) {
        path.push(step(done, state));
      }
    }
    return Verdict.NONE;
  }

  private boolean complete(BitSet done) {
    if (done.cardinality() > longest.cardinality()) {
      longest = done;
    }
    for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
      if (!operations.get(i).isUnknown()) {
        return false;
      }
    }
    return true;
  }

  /** An operation may come next if no other that is not done ended before it started. */
  private Step step(BitSet done, long state) {
    long firstEnd = Operation.NEVER;
    for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
      firstEnd = Math.min(firstEnd, operations.get(i).end());
    }
    Deque<Integer> known = new ArrayDeque<>();
    Deque<Integer> unknown = new ArrayDeque<>();
    for (int i = done.nextClearBit(0); i < operations.size(); i = done.nextClearBit(i + 1)) {
      Operation operation = operations.get(i);
      if (operation.start() > firstEnd) {
        break; // the others start later still
      }
      if (operation.isRead() && operation.value() == state) {
        return new Step(done, state, new ArrayDeque<>(List.of(i)));
      }
      (operation.isUnknown() ? unknown : known).add(i);
    }
    known.addAll(unknown);
    return new Step(done, state, known);
  }
}
