package io.millrace.pipelines.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The text is that of the JDK, for every day and every kind of fraction. */
class IsoTimeTest {
  private static final long LAST = Instant.parse("9999-12-31T00:00:00Z").getEpochSecond();

  private static void same(long seconds, long nanos) {
    assertEquals(
        Instant.ofEpochSecond(seconds, nanos).toString(), IsoTime.of(seconds, nanos), "" + seconds);
  }

  @Test
  void everyDay() {
    for (long day = 0; day <= LAST; day += 86_400) {
      same(day, 0);
    }
  }

  @Test
  void anyTime() {
    Random random = new Random(5);
    int[] units = {1, 1_000, 1_000_000};
    for (int i = 0; i < 100_000; i++) {
      int unit = units[i % 3];
      same(random.nextLong(LAST), random.nextInt(1_000_000_000 / unit) * unit);
    }
  }

  @Test
  void beforeTheEpochAndAfterFourDigits() {
    same(-1, 999_999_999);
    same(0, -1);
    same(0, Long.MIN_VALUE);
    same(0, Long.MAX_VALUE);
    same(Long.MIN_VALUE / 1_000_000_000, 0);
    same(LAST + 86_400, 1);
    same(LAST + 86_399, 999_000_000);
  }
}
