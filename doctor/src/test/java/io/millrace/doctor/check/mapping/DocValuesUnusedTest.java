package io.millrace.doctor.check.mapping;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import org.junit.jupiter.api.Test;

class DocValuesUnusedTest extends CheckTestCase {
  DocValuesUnusedTest() {
    super(new DocValuesUnused());
  }

  @Test
  void namesUnreadColumns() {
    Finding finding =
        fires(
            Severity.INFO,
            Sick.cluster()
                .keywords(15)
                .answer(
                    Probe.FIELD_USAGE,
                    "{\"app-logs-2026.11.20\":{\"shards\":[{\"stats\":{\"all_fields\":{\"any\":9},\"fields\":{\"k1\":{\"doc_values\":4}}}}]}}"));
    assertTrue(finding.evidence().getFirst().value().startsWith("14 fields"));
  }

  @Test
  void silentWhenNobodySearched() {
    silent(
        Sick.cluster()
            .keywords(15)
            .answer(
                Probe.FIELD_USAGE,
                "{\"app-logs-2026.11.20\":{\"shards\":[{\"stats\":{\"all_fields\":{\"any\":0},\"fields\":{}}}]}}"));
  }
}
