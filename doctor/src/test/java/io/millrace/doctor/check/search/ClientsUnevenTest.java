package io.millrace.doctor.check.search;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ClientsUnevenTest extends CheckTestCase {
  ClientsUnevenTest() {
    super(new ClientsUneven());
  }

  @Test
  void firesWhenOneNodeHasThemAll() {
    fires(Severity.WARN, Sick.cluster().stat("http/current_open", 300));
  }

  @Test
  void silentForANodeThatOnlyCoordinates() {
    silent(Sick.cluster().stat("http/current_open", 300).roles("id1", "ingest"));
  }

  @Test
  void silentForOneNode() {
    silent(Sick.cluster().alone().stat("http/current_open", 300));
  }
}
