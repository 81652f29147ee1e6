package io.millrace.pipelines.retention;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.opensearch.common.unit.TimeValue;

/** What the rules ask for, without a cluster. */
class PlanTest {
  private static final long DAY = TimeValue.timeValueDays(1).millis();
  private static final long NOW = Instant.parse("2026-11-22T13:00:00Z").toEpochMilli();

  private static Candidate dated(String name, long bytes) {
    long end = Candidate.endOfDay(name);
    return new Candidate(name, name, "", false, false, end - DAY, end, bytes, 1);
  }

  private static Candidate backing(String name, boolean writing, long created, long end) {
    return new Candidate(name, name, "stream", writing, false, created, end, 100, 1);
  }

  private static List<String> targets(List<RetentionRule> rules, Candidate... candidates) {
    return Plan.of(rules, Arrays.asList(candidates), NOW).stream()
        .map(step -> (step.action() == Plan.Action.DELETE ? "-" : "+") + step.target())
        .toList();
  }

  private static List<RetentionRule> rules(String... lines) {
    return Arrays.stream(lines).map(RetentionRule::parse).toList();
  }

  @Test
  void whatIsOlderThanTheRuleGoesAndNothingElse() {
    assertEquals(
        List.of("-logs-2026.11.18", "-logs-2026.11.19"),
        targets(
            rules("logs-* max_age=2d"),
            dated("logs-2026.11.20", 1),
            dated("logs-2026.11.19", 1),
            dated("logs-2026.11.18", 1),
            dated("other-2026.01.01", 1),
            dated("logs-2026.11.22", 1),
            dated("logs-without-a-day", 1)));
  }

  @Test
  void theOldestGoUntilTheRestIsSmallEnough() {
    assertEquals(
        List.of("-logs-2026.11.01", "-logs-2026.11.02"),
        targets(
            rules("logs-* max_size=250b"),
            dated("logs-2026.11.03", 100),
            dated("logs-2026.11.01", 100),
            dated("logs-2026.11.22", 150),
            dated("logs-2026.11.02", 100)));
  }

  @Test
  void todayAndTheFutureAndTheWriteIndexStayHoweverLarge() {
    assertEquals(
        List.of("-old"),
        targets(
            rules("stream max_size=1b max_age=1ms"),
            backing("write", true, NOW - 90 * DAY, -1),
            backing("old", false, NOW - 90 * DAY, NOW - DAY)));
    assertEquals(
        List.of(),
        targets(
            rules("logs-* max_size=1b"), dated("logs-2026.11.22", 5), dated("logs-2027.01.01", 5)));
  }

  @Test
  void theFirstRuleThatMatchesCounts() {
    assertEquals(
        List.of("-logs-b-2026.11.10"),
        targets(
            rules("logs-a-* max_age=90d", "logs-* max_age=3d"),
            dated("logs-a-2026.11.10", 1),
            dated("logs-b-2026.11.10", 1)));
  }

  @Test
  void whatIsHeldStays() {
    Candidate held = new Candidate("logs-2020.01.01", "u", "", false, true, 0, 1, 1_000, 1);
    assertEquals(List.of(), targets(rules("logs-* max_age=1d max_size=1b"), held));
  }

  @Test
  void aStreamRollsOverByAgeOrSizeUnlessItIsEmpty() {
    Candidate empty = new Candidate("w", "w", "stream", true, false, NOW - 9 * DAY, -1, 1_000, 0);
    assertEquals(List.of(), targets(rules("stream rollover_age=1d"), empty));
    Candidate write = backing("w", true, NOW - 2 * DAY, -1);
    assertEquals(List.of("+stream"), targets(rules("stream rollover_age=2d"), write));
    assertEquals(List.of("+stream"), targets(rules("stream rollover_size=100b"), write));
    assertEquals(List.of(), targets(rules("stream rollover_age=3d rollover_size=1kb"), write));
  }

  /** Thirty days, hour by hour: never over the bound, and nothing goes that the rule keeps. */
  @Test
  void aSimulatedMonth() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<RetentionRule> rules = rules("logs-* max_age=7d max_size=10kb");
    List<Candidate> present = new ArrayList<>();
    long start = Instant.parse("2026-10-01T00:00:00Z").toEpochMilli();
    int deleted = 0;
    for (int hour = 0; hour < 30 * 24; hour++) {
      long now = start + hour * (DAY / 24);
      if (hour % 24 == 0) {
        String day = Instant.ofEpochMilli(now).toString().substring(0, 10).replace('-', '.');
        present.add(dated("logs-" + day, 500 + random.nextInt(2_000)));
      }
      for (Plan.Step step : Plan.of(rules, present, now)) {
        Candidate gone =
            present.stream().filter(each -> each.name().equals(step.target())).findFirst().get();
        long total = present.stream().mapToLong(Candidate::bytes).sum();
        assertTrue(now - gone.end() > 7 * DAY || total > 10 << 10, "seed " + seed + " " + step);
        assertTrue(present.stream().allMatch(each -> each.end() >= gone.end()), "seed " + seed);
        present.remove(gone);
        deleted++;
      }
      long total = present.stream().mapToLong(Candidate::bytes).sum();
      long kept = now;
      assertTrue(
          total <= 10 << 10 || present.stream().allMatch(each -> each.end() > kept),
          "seed " + seed + ": " + total);
      assertTrue(present.stream().allMatch(each -> kept - each.end() <= 7 * DAY), "seed " + seed);
    }
    assertEquals(30, deleted + present.size());
  }
}
