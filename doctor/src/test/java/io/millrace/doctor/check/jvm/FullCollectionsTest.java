package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class FullCollectionsTest extends CheckTestCase {
  FullCollectionsTest() {
    super(new FullCollections());
  }

  @Test
  void firesAboveOnePerHour() {
    fires(Severity.WARN, Sick.cluster().stat("jvm/gc/collectors/old/collection_count", 200));
  }

  @Test
  void isAnErrorAboveSixPerHour() {
    fires(Severity.ERROR, Sick.cluster().stat("jvm/gc/collectors/old/collection_count", 2_000));
  }

  @Test
  void silentForConcurrentCycles() {
    silent(Sick.cluster().cms().stat("jvm/gc/collectors/old/collection_count", 200));
  }
}
