package io.millrace.write.fastengine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against java.time, which stock uses. */
class IsoDateTest {
  private static long millis(String text) {
    byte[] bytes = ("xx" + text + "99").getBytes(StandardCharsets.US_ASCII);
    return IsoDate.millis(bytes, 2, text.length());
  }

  private static int nanosOfMilli(String text) {
    byte[] bytes = ("xx" + text + "99").getBytes(StandardCharsets.US_ASCII);
    return IsoDate.nanosOfMilli(bytes, 2, text.length());
  }

  @Test
  void countsEveryDayFrom1000To9999() {
    LocalDate last = LocalDate.of(9999, 12, 31);
    for (LocalDate day = LocalDate.of(1000, 1, 1); day.isBefore(last); day = day.plusDays(13)) {
      assertEquals(day.toEpochDay() * 86_400_000L, millis(day.toString()));
    }
  }

  @Test
  void readsTimesFractionsAndOffsets() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      OffsetDateTime time =
          OffsetDateTime.of(
              1000 + random.nextInt(9000),
              1 + random.nextInt(12),
              1 + random.nextInt(28),
              random.nextInt(24),
              random.nextInt(60),
              1 + random.nextInt(59),
              random.nextInt(1_000_000_000),
              ZoneOffset.ofHoursMinutes(random.nextInt(17), random.nextInt(60)));
      assertEquals(time.toInstant().toEpochMilli(), millis(time.toString()), time::toString);
      assertEquals(time.getNano() % 1_000_000, nanosOfMilli(time.toString()), time::toString);
    }
    assertEquals(1L, millis("1970-01-01T00:00:00.001Z"));
    assertEquals(100L, millis("1970-01-01T00:00:00.1Z"));
    assertEquals(0, nanosOfMilli("1970-01-01T00:00:00.1Z"));
    assertEquals(0, nanosOfMilli("1970-01-01T00:00:00Z"));
    assertEquals(0, nanosOfMilli("1970-01-01"));
    assertEquals(400_000, nanosOfMilli("1970-01-01T00:00:00.1234"));
    assertEquals(456_789, nanosOfMilli("1970-01-01T00:00:00.123456789+01:00"));
    assertEquals(-1L, millis("1969-12-31T23:59:59.999"));
    assertEquals(-3_600_000L, millis("1970-01-01T00:00:00+01:00"));
  }

  @Test
  void leavesEverythingElse() {
    for (String other :
        new String[] {
          "",
          "2020",
          "2020-01",
          "2020-1-01",
          "2020-13-01",
          "2020-00-10",
          "2020-02-30",
          "2021-02-29",
          "1900-02-29",
          "0999-01-01",
          "2020-01-01T",
          "2020-01-01T10",
          "2020-01-01T10:00",
          "2020-01-01T24:00:00Z",
          "2020-01-01T10:60:00Z",
          "2020-01-01T10:00:60Z",
          "2020-01-01 10:00:00",
          "2020-01-01T10:00:00.Z",
          "2020-01-01T10:00:00,5Z",
          "2020-01-01T10:00:00.1234567890Z",
          "2020-01-01T10:00:00z",
          "2020-01-01T10:00:00ZZ",
          "2020-01-01T10:00:00+0100",
          "2020-01-01T10:00:00+01",
          "2020-01-01T10:00:00+18:00",
          "2020-01-01T10:00:00+01:60",
          "+2020-01-01",
          "2020-01-01T1a:00:00Z",
          "2020/01/01"
        }) {
      assertEquals(IsoDate.NONE, millis(other), other);
    }
  }
}
