package io.millrace.search.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DeadlineTest {
  @Test
  void aHeaderCarriesWhatIsLeft() {
    Deadline sent = Deadline.of(60_000, 42, Deadline.Unread.LEFT_OUT);
    Deadline received = Deadline.received(sent.header());
    assertEquals(60_000, received.timeout());
    assertEquals(42, received.search());
    assertEquals(Deadline.Unread.LEFT_OUT, received.unread());
    assertTrue(received.left() <= 60_000 && received.left() > 0, sent.header());
  }

  @Test
  void aDeadlineThatIsOverStaysOver() {
    Deadline received = Deadline.received("-250 100 7 REFUSED");
    assertTrue(received.left() <= -250);
  }

  @Test
  void whatThisVersionDoesNotKnowIsNoDeadline() {
    for (String header :
        new String[] {
          null, "", "100", "100 100 7", "100 100 7 LEFT_OUT more", "x 100 7 LEFT_OUT", "1 1 1 OTHER"
        }) {
      assertNull(Deadline.received(header), header);
    }
  }
}
