package io.millrace.it.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.it.chaos.Histories.Key;
import io.millrace.it.chaos.Operation.Attempt;
import io.millrace.it.chaos.Operation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The checker finds each kind of violation, and nothing in histories that are legal. */
class CheckerTest {
  private static final Key KEY = new Key("index", "k0");
  private static final String ANY = "node-0";
  private static final String PRIMARY = "node-0" + Checker.STRICT;
  private static final String LAST = Checker.FINAL + "node-0";

  private final Histories histories = new Histories();
  private final Windows windows = new Windows();

  private static Stamp stamp(long seqNo) {
    return new Stamp(1, seqNo, seqNo + 1);
  }

  private static Attempt attempt(Kind kind, long value, long expected, long start) {
    return new Attempt(kind, value, expected, start, ANY);
  }

  private void did(Kind kind, long value, long start, long end, long seqNo) {
    did(kind, value, Operation.ABSENT, start, end, stamp(seqNo));
  }

  private void did(Kind kind, long value, long expected, long start, long end, Stamp stamp) {
    histories.add(KEY, Operation.acknowledged(attempt(kind, value, expected, start), end, stamp));
  }

  private void tried(Kind kind, long value, long expected, long start) {
    histories.add(KEY, Operation.unknown(attempt(kind, value, expected, start)));
  }

  private void read(long value, long start, long end, long seqNo, String by) {
    Stamp stamp = value == Operation.ABSENT ? Stamp.NONE : stamp(seqNo);
    histories.add(KEY, Operation.read(value, start, end, stamp, by));
  }

  private Checker checked() {
    return new Checker(windows, 0).check(histories);
  }

  private void finds(Violation.Kind... kinds) {
    List<Violation> found = checked().violations();
    assertEquals(
        List.of(kinds),
        found.stream().map(Violation::kind).distinct().sorted().toList(),
        found::toString);
  }

  @Test
  void oneWriteAfterTheOtherIsLegal() {
    did(Kind.CREATE, 1, 0, 10, 0);
    read(1, 11, 12, 0, PRIMARY);
    did(Kind.DELETE, 0, 20, 30, 1);
    read(0, 31, 32, -1, PRIMARY);
    did(Kind.WRITE, 2, 40, 50, 2);
    did(Kind.REPLACE, 3, 2, 60, 70, stamp(3));
    read(3, 80, 80, 3, LAST);
    finds();
    assertEquals(2, checked().heldReads());
  }

  @Test
  void concurrentWritesMayComeInEitherOrder() {
    did(Kind.WRITE, 1, 0, 100, 1);
    did(Kind.WRITE, 2, 0, 100, 0);
    read(2, 10, 20, 0, PRIMARY);
    read(1, 30, 40, 1, PRIMARY);
    read(1, 200, 200, 1, LAST);
    finds();
  }

  @Test
  void aLostWriteIsFound() {
    did(Kind.WRITE, 1, 0, 10, 0);
    did(Kind.WRITE, 2, 20, 30, 1);
    read(1, 100, 100, 0, LAST);
    finds(Violation.Kind.LOST, Violation.Kind.NOT_LINEARIZABLE);
  }

  @Test
  void aDocumentThatIsGoneIsFound() {
    did(Kind.WRITE, 1, 0, 10, 0);
    read(0, 100, 100, -1, LAST);
    finds(Violation.Kind.LOST, Violation.Kind.NOT_LINEARIZABLE);
  }

  @Test
  void aLostConditionalWriteIsFound() {
    did(Kind.WRITE, 1, 0, 10, 0);
    did(Kind.REPLACE, 2, 1, 20, 30, stamp(1));
    did(Kind.REPLACE, 3, 1, 40, 50, stamp(2)); // both replaced one version
    read(3, 100, 100, 2, LAST);
    finds(Violation.Kind.NOT_LINEARIZABLE);
  }

  @Test
  void twoCreatesWithoutADeleteAreFound() {
    did(Kind.CREATE, 1, 0, 10, 0);
    did(Kind.CREATE, 2, 20, 30, 1);
    read(2, 100, 100, 1, LAST);
    finds(Violation.Kind.NOT_LINEARIZABLE);
  }

  @Test
  void aDeleteOfUnknownOutcomeMakesRoomForACreate() {
    did(Kind.CREATE, 1, 0, 10, 0);
    tried(Kind.DELETE, 0, 0, 12);
    did(Kind.CREATE, 2, 20, 30, 2);
    read(2, 100, 100, 2, LAST);
    finds();
  }

  @Test
  void aResurrectedDocumentIsFound() {
    did(Kind.WRITE, 1, 0, 10, 0);
    did(Kind.DELETE, 0, 20, 30, 1);
    read(1, 100, 100, 0, LAST);
    finds(Violation.Kind.RESURRECTED, Violation.Kind.NOT_LINEARIZABLE);
  }

  @Test
  void aLateSecondCopyOfAWriteIsFound() {
    did(Kind.WRITE, 1, 0, 10, 0);
    did(Kind.WRITE, 2, 20, 30, 1);
    read(1, 100, 100, 2, LAST); // under a new number, so that it is no older one
    finds(Violation.Kind.NOT_LINEARIZABLE);
  }

  @Test
  void aStaleReadIsFound() {
    did(Kind.WRITE, 1, 0, 10, 0);
    did(Kind.WRITE, 2, 20, 30, 1);
    read(1, 40, 50, 0, ANY);
    read(2, 100, 100, 1, LAST);
    finds(Violation.Kind.STALE);
  }

  @Test
  void aStaleAbsenceIsFound() {
    did(Kind.WRITE, 1, 0, 10, 0);
    read(0, 40, 50, -1, ANY);
    read(1, 100, 100, 0, LAST);
    finds(Violation.Kind.STALE);
  }

  @Test
  void aReadDuringTheWriteMaySeeEither() {
    did(Kind.WRITE, 1, 0, 10, 0);
    did(Kind.WRITE, 2, 20, 60, 1);
    read(2, 30, 35, 1, ANY);
    read(1, 40, 50, 0, ANY); // another copy, which has not got it yet
    read(2, 100, 100, 1, LAST);
    finds();
  }

  @Test
  void thePrimaryDoesNotGoBack() {
    did(Kind.WRITE, 1, 0, 10, 0);
    did(Kind.WRITE, 2, 20, 60, 1);
    read(2, 30, 35, 1, PRIMARY);
    read(1, 40, 50, 0, PRIMARY);
    read(2, 100, 100, 1, LAST);
    finds(Violation.Kind.NOT_LINEARIZABLE);
  }

  @Test
  void aReadUnderAFaultIsNotHeldToTheOrderOfOthers() {
    windows.open(32, false);
    windows.healed(70);
    did(Kind.WRITE, 1, 0, 10, 0);
    did(Kind.WRITE, 2, 20, 60, 1); // undone by the fault and sent again
    read(2, 25, 30, 1, PRIMARY);
    read(1, 40, 50, 0, PRIMARY);
    read(2, 100, 100, 1, LAST);
    finds();
    assertEquals(0, checked().heldReads());
  }

  @Test
  void aStaleReadOfAnIsolatedNodeIsCountedApart() {
    windows.open(15, true);
    did(Kind.WRITE, 1, 0, 10, 0);
    did(Kind.WRITE, 2, 20, 30, 1);
    read(1, 40, 50, 0, ANY);
    windows.agreed(60);
    read(2, 100, 100, 1, LAST);
    assertEquals(1, checked().excused().size());
    finds();
    read(1, 70, 80, 0, ANY); // the node is back: no excuse
    finds(Violation.Kind.STALE);
  }

  @Test
  void aFaultThatIsolatesNobodyExcusesNothing() {
    windows.open(15, false);
    did(Kind.WRITE, 1, 0, 10, 0);
    did(Kind.WRITE, 2, 20, 30, 1);
    read(1, 40, 50, 0, ANY);
    read(2, 100, 100, 1, LAST);
    finds(Violation.Kind.STALE);
  }

  @Test
  void aStaleReadOfSegmentsUnderAFaultIsCountedApart() {
    Key segments = new Key(Checker.SEGMENT, "k0");
    windows.open(15, false);
    histories.add(segments, Operation.acknowledged(attempt(Kind.WRITE, 1, 0, 20), 30, stamp(0)));
    histories.add(segments, Operation.read(0, 40, 50, Stamp.NONE, ANY));
    windows.healed(60);
    histories.add(segments, Operation.read(1, 100, 100, stamp(0), LAST));
    assertEquals(1, checked().excused().size());
    finds();
    histories.add(segments, Operation.read(0, 70, 80, Stamp.NONE, ANY));
    finds(Violation.Kind.STALE);
  }

  @Test
  void anUnknownWriteMayComeLateOrNever() {
    did(Kind.WRITE, 1, 0, 10, 0);
    tried(Kind.WRITE, 2, 0, 20);
    did(Kind.WRITE, 3, 30, 40, 1);
    read(3, 50, 60, 1, ANY);
    read(2, 100, 100, 2, LAST);
    finds();
  }

  @Test
  void anUnknownWriteThatWasSeenExplainsAReplacement() {
    tried(Kind.WRITE, 1, 0, 0);
    did(Kind.REPLACE, 2, 1, 20, 30, stamp(1));
    read(2, 100, 100, 1, LAST);
    finds();
  }

  @Test
  void anUnknownReplacementThatSawAnUnknownWriteExplainsTheEnd() {
    tried(Kind.WRITE, 1, 0, 0);
    tried(Kind.REPLACE, 2, 1, 20);
    read(2, 100, 100, 1, LAST);
    finds();
  }

  @Test
  void anInventedValueIsFound() {
    did(Kind.WRITE, 1, 0, 10, 0);
    read(7, 20, 30, 5, ANY);
    read(1, 100, 100, 0, LAST);
    finds(Violation.Kind.INVENTED);
  }

  @Test
  void aValueReadBeforeItWasWrittenIsFound() {
    read(1, 0, 5, 0, ANY);
    did(Kind.WRITE, 1, 10, 20, 0);
    read(1, 100, 100, 0, LAST);
    finds(Violation.Kind.INVENTED);
  }

  @Test
  void numbersThatGoBackAreFound() {
    did(Kind.WRITE, 1, 0, 10, 5);
    did(Kind.DELETE, 0, 20, 30, 4);
    read(0, 100, 100, -1, LAST);
    finds(Violation.Kind.LOST, Violation.Kind.NUMBERS);
  }

  @Test
  void aTermThatGoesBackIsFound() {
    did(Kind.WRITE, 1, 0, 0, 10, new Stamp(2, 0, 1));
    did(Kind.DELETE, 0, 0, 20, 30, new Stamp(1, 1, 2));
    read(0, 100, 100, -1, LAST);
    finds(Violation.Kind.LOST, Violation.Kind.NUMBERS);
  }

  @Test
  void aVersionStartsAgainAfterADeleteOnly() {
    did(Kind.WRITE, 1, 0, 0, 10, new Stamp(1, 0, 5));
    did(Kind.DELETE, 0, 0, 20, 30, new Stamp(1, 1, 6));
    did(Kind.WRITE, 2, 0, 40, 50, new Stamp(1, 2, 1));
    read(2, 100, 100, 2, LAST);
    finds();
    did(Kind.WRITE, 3, 0, 110, 120, new Stamp(1, 3, 1));
    read(3, 130, 130, 3, LAST);
    finds(Violation.Kind.NUMBERS);
  }

  @Test
  void oneNumberForTwoDocumentsIsFound() {
    did(Kind.WRITE, 1, 0, 10, 0);
    read(1, 100, 100, 0, LAST);
    Key other = new Key(KEY.index(), "k1");
    histories.add(
        other, Operation.acknowledged(attempt(Kind.WRITE, 2, Operation.ABSENT, 20), 30, stamp(0)));
    finds(Violation.Kind.NUMBERS);
  }

  @Test
  void copiesThatDifferAreFound() {
    did(Kind.WRITE, 1, 0, 100, 0);
    did(Kind.WRITE, 2, 0, 100, 1);
    read(2, 200, 200, 1, LAST);
    read(1, 201, 201, 0, LAST);
    assertTrue(
        checked().violations().stream()
            .anyMatch(violation -> violation.kind() == Violation.Kind.NOT_LINEARIZABLE));
  }

  /** A register that keeps its word passes, however the operations overlap; one that lies fails. */
  @Test
  void randomHistoriesOfARegister() {
    for (int seed = 0; seed < 300; seed++) {
      assertEquals(
          Linearization.Verdict.FOUND,
          Linearization.of(simulated(new Random(seed), 80)).verdict(),
          "seed " + seed);
      List<Operation> lying = simulated(new Random(seed), 30);
      Operation last = lying.removeLast();
      lying.add(Operation.read(Long.MAX_VALUE, last.start(), last.end(), last.stamp(), last.by()));
      assertEquals(Linearization.Verdict.NONE, Linearization.of(lying).verdict(), "seed " + seed);
    }
  }

  /** Operations that take effect one after the other, each seen a while before and after. */
  private static List<Operation> simulated(Random random, int count) {
    List<Operation> operations = new ArrayList<>();
    long state = Operation.ABSENT;
    for (int i = 1; i <= count; i++) {
      long at = i * 10L;
      long start = at - random.nextInt(35);
      long end = at + random.nextInt(35);
      Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
      long value = kind == Kind.READ ? state : kind == Kind.DELETE ? Operation.ABSENT : i;
      if (kind == Kind.CREATE && state != Operation.ABSENT) {
        continue;
      }
      Operation operation = new Operation(kind, value, state, start, end, stamp(i), ANY);
      state = operation.appliedTo(state);
      boolean answered = operation.isRead() || random.nextInt(6) > 0;
      operations.add(
          answered
              ? operation
              : Operation.unknown(attempt(kind, value, operation.expected(), start)));
    }
    long last = count * 10L + 100;
    operations.add(Operation.read(state, last, last, stamp(count), LAST));
    return operations;
  }
}
