package io.millrace.pipelines.retention;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetentionRuleTest {
  @Test
  void aLineIsReadInFull() {
    RetentionRule rule =
        RetentionRule.parse(" logs-*  max_age=14d max_size=2gb rollover_age=1d rollover_size=1kb");
    assertEquals("logs-*", rule.pattern());
    assertEquals(14L * 24 * 3600 * 1000, rule.maxAge());
    assertEquals(2L << 30, rule.maxSize());
    assertEquals(24L * 3600 * 1000, rule.rolloverAge());
    assertEquals(1024, rule.rolloverSize());
  }

  /** The part at fault stands in brackets, before what may be given. */
  @ParameterizedTest
  @CsvSource({
    "'',                   '',              begin with a pattern",
    "logs-*,               logs-*,          give max_age",
    "max_age=1d,           max_age=1d,      begin with a pattern",
    ".security max_age=1d, .security,       does not begin with a dot",
    "logs-* age=1d,        age=1d,          use max_age",
    "logs-* max_age,       '',              time",
    "logs-* max_age=soon,  soon,            time",
    "logs-* max_age=0s,    0s,              above zero",
    "logs-* max_size=-1,   -1,              size",
    "logs-* max_size=many, many,            size"
  })
  void whatCannotBeReadIsRefusedWithThePartAtFault(String line, String part, String remedy) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> RetentionRule.parse(line)).getMessage();
    assertTrue(said.contains("[" + part + "]") && said.contains(remedy), said);
  }

  @ParameterizedTest
  @CsvSource({
    "logs-2026.11.22, 2026-11-23T12:00:00Z",
    "sw_log-20261122, 2026-11-23T12:00:00Z",
    "a-2026-02-28-x, 2026-03-01T12:00:00Z",
    "v1-2020.01.01-to-2026.12.31, 2027-01-01T12:00:00Z"
  })
  void aDayInANameEndsTwelveHoursAfterItsMidnight(String name, String end) {
    assertEquals(Instant.parse(end).toEpochMilli(), Candidate.endOfDay(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"logs", "logs-000001", "logs-2026.13.01", "id-120261122", "a-2026.11-22"})
  void otherDigitsAreNoDay(String name) {
    assertEquals(-1, Candidate.endOfDay(name));
  }
}
