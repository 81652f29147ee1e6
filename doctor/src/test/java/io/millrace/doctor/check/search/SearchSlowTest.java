package io.millrace.doctor.check.search;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class SearchSlowTest extends CheckTestCase {
  SearchSlowTest() {
    super(new SearchSlow());
  }

  @Test
  void firesAtASecond() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .stat("indices/search/query_total", 5_020)
            .stat("indices/search/query_time_in_millis", 150_000));
  }
}
