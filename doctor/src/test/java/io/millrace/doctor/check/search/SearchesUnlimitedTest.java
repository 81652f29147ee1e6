package io.millrace.doctor.check.search;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import org.junit.jupiter.api.Test;

class SearchesUnlimitedTest extends CheckTestCase {
  SearchesUnlimitedTest() {
    super(new SearchesUnlimited());
  }

  private static Sick running(String action, long seconds) {
    return Sick.cluster()
        .answer(
            Probe.TASKS,
            "{\"nodes\":{\"id1\":{\"name\":\"n1\",\"tasks\":{\"id1:7\":{\"action\":\""
                + action
                + "\",\"running_time_in_nanos\":"
                + seconds * 1_000_000_000
                + "}}}}}");
  }

  @Test
  void firesAndTheUndoRemovesTheLimitAgain() {
    Finding finding = fires(Severity.WARN, running("indices:data/read/search", 31));
    assertTrue(
        finding.fix().calls().toString().contains("\"search.default_search_timeout\":\"60s\""),
        finding.fix()::toString);
    assertTrue(
        finding.fix().undo().toString().contains("\"search.default_search_timeout\":null"),
        finding.fix()::toString);
  }

  @Test
  void firesForALimitThatIsNone() {
    fires(
        Severity.WARN,
        running("indices:data/read/search", 31)
            .clusterSetting("search.default_search_timeout", "-1"));
  }

  @Test
  void silentWithALimitForShortSearchesAndForBulks() {
    silent(
        running("indices:data/read/search", 31)
            .clusterSetting("search.default_search_timeout", "5m"));
    silent(running("indices:data/read/search", 29));
    silent(running("indices:data/write/bulk", 90));
  }
}
