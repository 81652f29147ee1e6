package io.millrace.observe.freshness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.metric.Durations;
import io.millrace.kernel.profile.Profile;
import io.millrace.observe.freshness.Freshness.IndexFreshness;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;

class TargetTest {
  private static final String INTERVAL = "index.refresh_interval";

  private static Settings interval(String value) {
    return Settings.builder().put(INTERVAL, value).build();
  }

  @Test
  void withoutAnIntervalTheProfileIsThePromise() {
    assertEquals(
        new Target(5_000, Profile.SETTING.getKey()), Target.of(Profile.SEARCH, Settings.EMPTY, -1));
    assertEquals(
        new Target(30_000, Profile.SETTING.getKey()), Target.of(Profile.LOGS, Settings.EMPTY, -1));
    assertEquals(
        new Target(300_000, Profile.SETTING.getKey()),
        Target.of(Profile.TRACES, Settings.EMPTY, -1));
    assertEquals(Target.NONE, Target.of(Profile.NONE, Settings.EMPTY, -1));
  }

  @Test
  void anIntervalIsWhatTheShardKeeps() {
    assertEquals(new Target(2_000, INTERVAL), Target.of(Profile.NONE, interval("2s"), -1));
    assertEquals(new Target(60_000, INTERVAL), Target.of(Profile.LOGS, interval("1m"), -1));
    assertEquals(Target.NONE, Target.of(Profile.NONE, interval("-1"), -1));
    assertEquals(Target.NONE, Target.of(Profile.LOGS, interval("-1"), -1), "nobody refreshes it");
  }

  @Test
  void aSearchedShardPromisesItsFreshness() {
    Target five = new Target(5_000, Profile.FRESHNESS.getKey());
    assertEquals(five, Target.of(Profile.LOGS, interval("30s"), 5_000));
    assertEquals(five, Target.of(Profile.NONE, interval("-1"), 5_000));
    assertEquals(five, Target.of(Profile.NONE, Settings.EMPTY, 5_000));
    assertEquals(
        new Target(2_000, INTERVAL),
        Target.of(Profile.LOGS, interval("2s"), 5_000),
        "the sooner of the two");
  }

  private static IndexFreshness waiting(long targetMillis, boolean idle, long millis) {
    Durations waits = new Durations();
    return new IndexFreshness("i", "none", targetMillis, "", idle, millis * 1_000_000, 0, waits);
  }

  @Test
  void lateIsMoreThanASecondPastThePromise() {
    assertFalse(waiting(30_000, false, 31_000).late());
    assertTrue(waiting(30_000, false, 31_001).late());
    assertFalse(waiting(30_000, true, 90_000).late(), "nobody searches");
    assertFalse(waiting(-1, false, 90_000).late(), "nothing promised");
    assertEquals(0.5, waiting(1_000, false, 1_000).share(), 1e-9);
  }

  @Test
  void freshnessIsHeldAgainstAShardOnceItHadTheTime() {
    long second = 1_000_000_000L;
    long since = Long.MAX_VALUE - second; // nanoTime may wrap
    assertFalse(WatchedShard.held(since, since + 5 * second - 1, 5_000));
    assertTrue(WatchedShard.held(since, since + 5 * second, 5_000));
    assertFalse(WatchedShard.held(since, since + 60 * second, -1), "no freshness");
    assertFalse(WatchedShard.held(Long.MIN_VALUE, 0, 5_000), "nobody searches");
  }
}
