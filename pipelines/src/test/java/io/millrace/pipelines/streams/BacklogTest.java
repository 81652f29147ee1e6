package io.millrace.pipelines.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BacklogTest {
  private final Backlog backlog = new Backlog();
  private long now;

  /** A second later. */
  private long look(long entered, long left) {
    return backlog.look(now++, now, entered, left);
  }

  @Test
  void nothingWaitsWhereAllHasLeft() {
    assertEquals(0, look(0, 0));
    assertEquals(0, look(10, 10));
    assertEquals(0, look(10, 10));
  }

  @Test
  void theOldestWaitsWhileNothingMoves() {
    assertEquals(1, look(10, 0), "they came since the look before");
    assertEquals(2, look(10, 0));
    assertEquals(3, look(20, 9), "the tenth is still there");
    assertEquals(2, look(30, 10), "the eleventh came between the second look and the third");
    assertEquals(0, look(30, 30));
  }

  @Test
  void countsThatBeginAgainBeginAgain() {
    assertEquals(1, look(10, 0));
    assertEquals(2, look(10, 0));
    assertEquals(1, look(5, 0), "the shard was opened anew");
    assertEquals(0, look(5, 5));
  }

  @Test
  void aStageThatOnlyTakesIsToldByItsOldest() {
    for (int i = 1; i < 2000; i++) {
      assertEquals(i, look(10L * i, 0));
    }
    assertEquals(0, look(20_000, 20_000));
  }
}
