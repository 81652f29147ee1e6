package io.millrace.doctor.check.search;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class SearchRejectionsTest extends CheckTestCase {
  SearchRejectionsTest() {
    super(new SearchRejections());
  }

  @Test
  void firesInTheWindow() {
    fires(Severity.ERROR, Sick.cluster().stat("thread_pool/search/rejected", 9));
  }

  @Test
  void firesForEarlierOnes() {
    fires(Severity.WARN, Sick.cluster().stats("thread_pool/search/rejected", 9));
  }
}
