package io.millrace.observe.alarms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Knob;
import io.millrace.observe.alarms.Reading.Watermark;
import io.millrace.observe.alarms.TaggedFigures.Figure;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;

class AlarmsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String PREFIX = "millrace.observe.alarms";
  private static final String RELIEF = "An old index would go next";

  private final Alarms alarms =
      alarms(
          Settings.builder()
              .put(PREFIX + ".heap_for", "10s")
              .put(PREFIX + ".rejected_writes", 3)
              .put(PREFIX + ".slow_readers", 2)
              .build());

  /** The alarms of a node with these settings. */
  private static Alarms alarms(Settings node) {
    List<AlarmRule> rules = new AlarmRules(PREFIX, () -> RELIEF).all();
    List<Knob<?>> knobs = rules.stream().flatMap(rule -> rule.knobs().stream()).toList();
    ClusterSettings updates =
        new ClusterSettings(node, knobs.stream().map(Knob::setting).collect(Collectors.toSet()));
    knobs.forEach(knob -> knob.bind(node, updates));
    return new Alarms(rules);
  }

  private static Map<Tag, Figure> tagged(long uploads, long readers, long requests, long wait) {
    return Map.of(
        Tag.REFUSED_UPLOADS, new Figure(uploads, "guard.a,guard.b"),
        Tag.CLOSED_READERS, new Figure(readers, "guard.b"),
        Tag.STOPPED_REQUESTS, new Figure(requests, "guard.c"),
        Tag.UPLOAD_WAIT, new Figure(wait, "guard.a"));
  }

  private static Reading at(long second) {
    return new Reading(
        second * SECOND, 0, 0, 0.4, 0, 0, 0, 0.5, "a", 0, 0.5, Watermark.NONE, Map.of());
  }

  private static Reading rejected(long second, long writes) {
    return new Reading(
        second * SECOND, 0, 0, 0.4, writes, 0, 0, 0.5, "a", 0, 0.5, Watermark.NONE, Map.of());
  }

  private static Reading heap(long second, double ratio) {
    return new Reading(
        second * SECOND, 0, 0, ratio, 0, 0, 0, 0.5, "a", 0, 0.5, Watermark.NONE, Map.of());
  }

  private static Reading guarded(long second, Map<Tag, Figure> guards) {
    return new Reading(
        second * SECOND, 0, 0, 0.4, 0, 0, 0, 0.5, "a", 0, 0.5, Watermark.NONE, guards);
  }

  private static Reading late(long second, double times) {
    return new Reading(
        second * SECOND, 0, 0, 0.4, 0, 0, 0, times, "a", 0, 0.5, Watermark.NONE, Map.of());
  }

  private List<String> read(Reading reading) {
    return alarms.read(reading, 7).stream()
        .map(alarm -> alarm.name() + "=" + alarm.firing())
        .toList();
  }

  @Test
  void lostValuesNameFieldAndSource() {
    Figure lost =
        new Figure(
            100, "write.a", Map.of("index", "logs-x", "field", "status", "source", "checkout"));
    assertFalse(
        read(guarded(0, Map.of(Tag.LOST_VALUES, new Figure(99, "write.a"))))
            .contains("lost_values=true"));
    List<Alarm> changed = alarms.read(guarded(5, Map.of(Tag.LOST_VALUES, lost)), 7);
    assertEquals(List.of("lost_values"), changed.stream().map(Alarm::name).toList());
    assertTrue(changed.getFirst().firing());
    String what = changed.getFirst().what();
    assertTrue(what.contains("field [status] of source [checkout] in index [logs-x]"), what);
    assertEquals(List.of("lost_values=false"), read(at(10)));
  }

  @Test
  void nothingFiresInAQuietHour() {
    for (int second = 0; second < 3600; second += 5) {
      assertEquals(List.of(), read(at(second)));
    }
    assertEquals(0, alarms.fired());
    assertEquals(19, alarms.alarms().size());
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
                tagged(1, 2, 1, 2000)));
    assertEquals(12, fired.size(), fired.toString());
    assertTrue(
        alarms.alarms().stream().anyMatch(alarm -> alarm.what().contains("[b]")),
        "names the index");
    assertTrue(alarms.alarms().stream().anyMatch(alarm -> alarm.what().contains("blocked")));
    assertTrue(
        alarms.alarms().stream().anyMatch(alarm -> alarm.action().endsWith(". " + RELIEF)),
        "names what would free the disk");
    alarms.clear();
    assertEquals(0, alarms.report().get("firing"));
  }

  @Test
  void guardsAreNamedByWhatTheyDid() {
    read(at(0));
    assertEquals(List.of(), read(guarded(5, tagged(0, 1, 0, 0))));
    assertEquals(List.of("slow_readers=true"), read(guarded(10, tagged(0, 2, 0, 0))));
    assertEquals(List.of("slow_uploads=true"), read(guarded(15, tagged(1, 2, 0, 0))));
    assertTrue(
        alarms.alarms().stream()
            .anyMatch(alarm -> alarm.action().endsWith("/_millrace/stats?feature=guard.a,guard.b")),
        "names who counts");
    assertEquals(List.of("requests_stopped=true"), read(guarded(20, tagged(1, 2, 4, 0))));
    assertEquals(List.of(), read(guarded(25, tagged(1, 2, 4, 1999))));
    assertEquals(List.of("uploads_wait=true"), read(guarded(30, tagged(1, 2, 4, 2000))));
    assertEquals(List.of("uploads_wait=false"), read(guarded(35, tagged(1, 2, 4, 0))));
  }

  @Test
  void streamsFireAsLongAsTheyStandOrAreLate() {
    read(at(0));
    Figure one = new Figure(1, "pipelines.a");
    assertEquals(
        List.of("stopped_streams=true"), read(guarded(5, Map.of(Tag.STOPPED_STREAMS, one))));
    assertEquals(
        List.of("stopped_streams=false", "late_streams=true"),
        read(guarded(10, Map.of(Tag.LATE_STREAMS, one))));
    assertEquals(List.of("late_streams=false"), read(at(15)), "a state has no minute to pass");
  }

  @Test
  void zeroSwitchesOff() {
    Settings.Builder zero = Settings.builder();
    new AlarmRules(PREFIX, () -> RELIEF)
        .all().stream()
            .flatMap(rule -> rule.knobs().stream())
            .forEach(knob -> zero.put(knob.key(), 0));
    Alarms never = alarms(zero.build());
    never.read(at(0), 0);
    assertEquals(
        List.of(),
        never.read(
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
                tagged(9, 9, 9, 9000)),
            0));
  }
}
