package io.millrace.doctor.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class UnitsTest {
  @Test
  void sizesAndTimesAsSettingsWriteThem() {
    assertEquals(512L << 20, Units.bytes("512mb"));
    assertEquals(1L << 30, Units.bytes("1gb"));
    assertEquals(1024, Units.bytes("1KB"));
    assertEquals(7, Units.bytes("7b"));
    assertEquals(-1, Units.bytes("10%"));
    assertEquals(-1, Units.bytes(null));
    assertEquals(30_000, Units.millis("30s"));
    assertEquals(300_000, Units.millis("5m"));
    assertEquals(-1, Units.millis("-1"));
    assertEquals(-1, Units.millis("soon"));
    assertEquals(-1, Units.millis("99999999999999999999s"));
    assertEquals(Long.MAX_VALUE, Units.millis("999999999999999999d"));
  }

  @Test
  void numbersForPeople() {
    assertEquals("1.50 GB", Units.size(1.5 * (1L << 30)));
    assertEquals("2.81 %", Units.percent(0.0281));
    assertEquals("90 s", Units.time(90_000));
  }
}
