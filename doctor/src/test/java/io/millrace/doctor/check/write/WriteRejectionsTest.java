package io.millrace.doctor.check.write;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class WriteRejectionsTest extends CheckTestCase {
  WriteRejectionsTest() {
    super(new WriteRejections());
  }

  @Test
  void firesWhileBulksAreLost() {
    Finding finding =
        fires(
            Severity.ERROR,
            Sick.cluster()
                .stat("thread_pool/write/rejected", 500)
                .info("thread_pool/write/queue_size", 200));
    assertTrue(finding.what().contains("a queue of 200"), finding.what());
  }

  @Test
  void firesForThoseOfTheMorning() {
    fires(Severity.WARN, Sick.cluster().stats("thread_pool/write/rejected", 500));
  }

  @Test
  void namesShardsAndDisksAsCauses() {
    Finding finding =
        fires(
            Severity.ERROR,
            Sick.cluster()
                .stat("thread_pool/write/rejected", 500)
                .stat("fs/io_stats/total/io_time_in_millis", 99_000)
                .logs("index.number_of_shards", 100));
    assertTrue(finding.what().contains("torn apart by 10"), finding.what());
    assertTrue(finding.what().contains("the disk is busy"), finding.what());
  }
}
