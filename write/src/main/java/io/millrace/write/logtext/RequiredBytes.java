package io.millrace.write.logtext;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.apache.lucene.util.automaton.Transition;

/**
 * Runs of bytes that stand in everything an automaton accepts, whatever query it was made of: a
 * wildcard, a regular expression, either of them for both cases. Upper and lower case of ASCII are
 * the same, as for {@link TermDigest}.
 *
 * <p>A state that every way to the end passes is first come to by some step; where that step is the
 * same byte from wherever it is made, the byte is required, and so on backwards.
 */
final class RequiredBytes {
  /** States of an automaton that is looked at; a pattern of some words has some hundreds. */
  private static final int MOST_STATES = 1024;

  private static final int LONGEST = 32;
  private static final int SEVERAL = -1;

  private record Step(int from, int to, int min, int max) {}

  private final Automaton automaton;
  private final List<List<Step>> into = new ArrayList<>();

  private RequiredBytes(Automaton automaton) {
    this.automaton = automaton;
    for (int state = 0; state < automaton.getNumStates(); state++) {
      into.add(new ArrayList<>());
    }
    Transition at = new Transition();
    for (int state = 0; state < automaton.getNumStates(); state++) {
      int count = automaton.initTransition(state, at);
      for (int i = 0; i < count; i++) {
        automaton.getNextTransition(at);
        into.get(at.dest).add(new Step(state, at.dest, at.min, at.max));
      }
    }
  }

  /** None for an automaton that is too large, or that is not one of bytes. */
  static List<byte[]> of(CompiledAutomaton compiled) {
    Automaton automaton = compiled.automaton;
    if (automaton == null || automaton.getNumStates() > MOST_STATES) {
      return List.of();
    }
    return new RequiredBytes(automaton).runs();
  }

  private List<byte[]> runs() {
    List<byte[]> runs = new ArrayList<>();
    for (int state : oneWay()) {
      BitSet without = reached(state);
      boolean required = true;
      for (int i = without.nextSetBit(0); i >= 0; i = without.nextSetBit(i + 1)) {
        required &= !automaton.isAccept(i);
      }
      if (required) {
        byte[] run = before(state, without);
        if (run.length > 0) {
          runs.add(run);
        }
      }
    }
    return runs;
  }

  /**
   * The states of a shortest way to the end, without the first: what all ways pass is among them.
   */
  private List<Integer> oneWay() {
    int[] before = new int[automaton.getNumStates()];
    BitSet seen = new BitSet();
    Deque<Integer> open = new ArrayDeque<>(List.of(0));
    seen.set(0);
    Transition at = new Transition();
    while (!open.isEmpty()) {
      int state = open.remove();
      if (automaton.isAccept(state)) {
        List<Integer> way = new ArrayList<>();
        for (int on = state; on != 0; on = before[on]) {
          way.add(on);
        }
        return way;
      }
      int count = automaton.initTransition(state, at);
      for (int i = 0; i < count; i++) {
        automaton.getNextTransition(at);
        if (!seen.get(at.dest)) {
          seen.set(at.dest);
          before[at.dest] = state;
          open.add(at.dest);
        }
      }
    }
    return List.of();
  }

  /** The states that are come to without passing one. */
  private BitSet reached(int avoided) {
    BitSet reached = new BitSet();
    List<Integer> open = new ArrayList<>(List.of(0));
    reached.set(0);
    Transition at = new Transition();
    while (!open.isEmpty()) {
      int count = automaton.initTransition(open.removeLast(), at);
      for (int i = 0; i < count; i++) {
        automaton.getNextTransition(at);
        if (at.dest != avoided && !reached.get(at.dest)) {
          reached.set(at.dest);
          open.add(at.dest);
        }
      }
    }
    return reached;
  }

  /**
   * The bytes that a state is first come to by.
   *
   * @param others states that are come to before it
   */
  private byte[] before(int state, BitSet others) {
    byte[] run = new byte[LONGEST];
    int start = run.length;
    int at = state;
    while (at != 0 && start > 0) {
      int label = SEVERAL;
      int from = SEVERAL;
      boolean one = true;
      boolean first = true;
      for (Step step : into.get(at)) {
        if (!others.get(step.from)) {
          continue;
        }
        int here = label(step);
        one &= here != SEVERAL && (first || here == label);
        label = here;
        from = first || from == step.from ? step.from : SEVERAL;
        first = false;
      }
      if (first || !one) {
        break;
      }
      run[--start] = (byte) label;
      if (from == SEVERAL) {
        break;
      }
      at = from;
    }
    byte[] found = new byte[run.length - start];
    System.arraycopy(run, start, found, 0, found.length);
    return found;
  }

  private static int label(Step step) {
    return step.min == step.max ? TermDigest.fold((byte) step.min) & 0xff : SEVERAL;
  }
}
