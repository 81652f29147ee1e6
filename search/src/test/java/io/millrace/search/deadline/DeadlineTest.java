package io.millrace.search.deadline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.settings.Knob;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.opensearch.action.search.SearchTransportService;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.unit.TimeValue;

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
  void aDeadlineIsPutOffAndNeverBroughtForward() {
    Deadline deadline = Deadline.of(60_000, 42, Deadline.Unread.LEFT_OUT);
    long later = deadline.end() + TimeUnit.SECONDS.toNanos(1);
    assertEquals(later, deadline.atLeast(later).end());
    assertEquals(deadline, deadline.atLeast(deadline.end() - 1));
  }

  @Test
  void allShardsOfASearchReadTheirHitsInOneTime() {
    Setting<TimeValue> fetchTime =
        Setting.timeSetting(
            "fetch_time", TimeValue.timeValueSeconds(100), Setting.Property.NodeScope);
    FetchTime time = new FetchTime(new Knob<>(fetchTime, "for all shards"));
    Deadlines deadlines = new Deadlines(time, () -> null);
    Deadline over = Deadline.of(0, 42, Deadline.Unread.LEFT_OUT);
    deadlines.begin(over);
    Deadline query = deadlines.coordinated(SearchTransportService.QUERY_ACTION_NAME, 42);
    assertEquals(over, query);
    Deadline first = deadlines.coordinated(SearchTransportService.FETCH_ID_ACTION_NAME, 42);
    Deadline second = deadlines.coordinated(SearchTransportService.FETCH_ID_ACTION_NAME, 42);
    assertTrue(first.left() > 0);
    assertEquals(first, second);
    deadlines.end(over);
    assertNull(deadlines.coordinated(SearchTransportService.FETCH_ID_ACTION_NAME, 42));
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
