package io.millrace.observe.alarms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.observe.alarms.GuardFigures.Counts;
import io.millrace.observe.alarms.Reading.Watermark;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AlarmsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Thresholds LIMITS =
      new Thresholds(1, 1, 85, 10 * SECOND, 3, 1, 1, 2, 3000, 2000, 1, 2, 1);

  private final Alarms alarms = new Alarms();

  private static Reading at(long second) {
    return new Reading(
        second * SECOND, 0, 0, 0.4, 0, 0, 0, 0.5, "a", 0, 0.5, Watermark.NONE, Counts.NONE);
  }

  private static Reading rejected(long second, long writes) {
    return new Reading(
        second * SECOND, 0, 0, 0.4, writes, 0, 0, 0.5, "a", 0, 0.5, Watermark.NONE, Counts.NONE);
  }

  private static Reading heap(long second, double ratio) {
    return new Reading(
        second * SECOND, 0, 0, ratio, 0, 0, 0, 0.5, "a", 0, 0.5, Watermark.NONE, Counts.NONE);
  }

  private static Reading guarded(long second, Counts guards) {
    return new Reading(
        second * SECOND, 0, 0, 0.4, 0, 0, 0, 0.5, "a", 0, 0.5, Watermark.NONE, guards);
  }

  private static Reading late(long second, double times) {
    return new Reading(
        second * SECOND, 0, 0, 0.4, 0, 0, 0, times, "a", 0, 0.5, Watermark.NONE, Counts.NONE);
  }

  private List<String> read(Reading reading) {
    return alarms.read(reading, LIMITS, 7).stream()
        .map(alarm -> alarm.name() + "=" + alarm.firing())
        .toList();
  }

  @Test
  void nothingFiresInAQuietHour() {
    for (int second = 0; second < 3600; second += 5) {
      assertEquals(List.of(), read(at(second)));
    }
    assertEquals(0, alarms.fired());
    assertEquals(13, alarms.alarms().size());
  }

  @Test
  void countsFireAtTheThresholdAndEndAMinuteLater() {
    assertEquals(List.of(), read(rejected(0, 100))); // what was before is not news
    assertEquals(List.of(), read(rejected(5, 102)));
    assertEquals(List.of("rejected_writes=true"), read(rejected(10, 103)));
    assertEquals(List.of(), read(rejected(15, 110)));
    Map<?, ?> all = (Map<?, ?>) alarms.report().get("alarms");
    Map<?, ?> one = (Map<?, ?>) all.get("rejected_writes");
    assertEquals(true, one.get("firing"));
    assertEquals(7L, one.get("since_in_millis"));
    assertFalse(String.valueOf(one.get("action")).isBlank());
    assertEquals(1, alarms.report().get("firing"));
    for (int second = 20; second <= 70; second += 5) {
      assertEquals(List.of(), read(rejected(second, 110)), "at " + second);
    }
    assertEquals(List.of("rejected_writes=false"), read(rejected(75, 110)));
    assertEquals(1, alarms.fired());
  }

  @Test
  void whatHappenedWhileNobodyCouldReadIsJudgedAfterwards() {
    assertEquals(List.of(), read(rejected(0, 100)));
    assertEquals(List.of(), read(rejected(5, 100)));
    assertEquals(List.of("rejected_writes=true"), read(rejected(125, 110)));
    assertEquals(List.of(), read(rejected(130, 110)));
    for (int second = 135; second <= 180; second += 5) {
      assertEquals(List.of(), read(rejected(second, 110)), "at " + second);
    }
    assertEquals(List.of("rejected_writes=false"), read(rejected(185, 110)));
  }

  @Test
  void heapMustBeHighForLong() {
    assertEquals(List.of(), read(heap(0, 0.9)));
    assertEquals(List.of(), read(heap(5, 0.8)));
    assertEquals(List.of(), read(heap(10, 0.9)));
    assertEquals(List.of(), read(heap(15, 0.9)));
    assertEquals(List.of("heap_high=true"), read(heap(20, 0.9)));
    assertEquals(List.of("heap_high=false"), read(heap(25, 0.2)));
  }

  @Test
  void oneLateRefreshIsNoAlarmTwoReadingsAre() {
    assertEquals(List.of(), read(late(0, 2.5)));
    assertEquals(List.of(), read(late(5, 1.9)), "it passed");
    assertEquals(List.of(), read(late(10, 2)));
    assertEquals(List.of("refresh_lag=true"), read(late(15, 4.5)), "10 s after it began at most");
    assertEquals(List.of(), read(late(20, 7)));
    assertEquals(List.of("refresh_lag=false"), read(late(25, 0.5)));
    read(late(30, 3));
    alarms.clear();
    assertEquals(List.of(), read(late(35, 3)), "a switch that was off forgets");
    assertEquals(1, alarms.fired());
  }

  @Test
  void everyOtherAlarmFires() {
    read(late(0, 2.5));
    List<String> fired =
        read(
            new Reading(
                5 * SECOND,
                1,
                1,
                0,
                9,
                1,
                1,
                2.5,
                "b",
                3000,
                0.01,
                Watermark.FLOOD_STAGE,
                new Counts(1, 2, 1, 2000)));
    assertEquals(12, fired.size(), fired.toString());
    assertTrue(
        alarms.alarms().stream().anyMatch(alarm -> alarm.what().contains("[b]")),
        "names the index");
    assertTrue(alarms.alarms().stream().anyMatch(alarm -> alarm.what().contains("blocked")));
    alarms.clear();
    assertEquals(0, alarms.report().get("firing"));
  }

  @Test
  void guardsAreNamedByWhatTheyDid() {
    read(at(0));
    assertEquals(List.of(), read(guarded(5, new Counts(0, 1, 0, 0))));
    assertEquals(List.of("slow_readers=true"), read(guarded(10, new Counts(0, 2, 0, 0))));
    assertEquals(List.of("slow_uploads=true"), read(guarded(15, new Counts(1, 2, 0, 0))));
    assertEquals(List.of("requests_stopped=true"), read(guarded(20, new Counts(1, 2, 4, 0))));
    assertEquals(List.of(), read(guarded(25, new Counts(1, 2, 4, 1999))));
    assertEquals(List.of("uploads_wait=true"), read(guarded(30, new Counts(1, 2, 4, 2000))));
    assertEquals(List.of("uploads_wait=false"), read(guarded(35, new Counts(1, 2, 4, 0))));
  }

  @Test
  void zeroSwitchesOff() {
    Thresholds never = new Thresholds(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    alarms.read(at(0), never, 0);
    assertEquals(
        List.of(),
        alarms.read(
            new Reading(
                5 * SECOND,
                9,
                9,
                1,
                9,
                9,
                9,
                9,
                "b",
                9000,
                0.5,
                Watermark.NONE,
                new Counts(9, 9, 9, 9000)),
            never,
            0));
  }
}
