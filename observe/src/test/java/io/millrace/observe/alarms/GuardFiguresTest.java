package io.millrace.observe.alarms;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.kernel.Feature;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Switch;
import io.millrace.observe.alarms.GuardFigures.Counts;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuardFiguresTest {
  private static Feature counting(String id, String metric, long value) {
    return new Feature() {
      @Override
      public String id() {
        return id;
      }

      @Override
      public String summary() {
        return "counts";
      }

      @Override
      public List<String> sources() {
        return List.of();
      }

      @Override
      public Switch enabled() {
        return Feature.switchFor(id, true);
      }

      @Override
      public List<Metric> metrics() {
        return List.of(
            Metric.counter(metric, "requests", "Counted", () -> value),
            Metric.counter("another", "requests", "Not asked for", () -> 1000));
      }
    };
  }

  @Test
  void addsUpWhatEachAlarmIsAbout() {
    GuardFigures figures =
        new GuardFigures(
            List.of(
                counting("guard.inbound-budget", "refusals", 3),
                counting("guard.outbound-budget", "pressed_out", 5),
                counting("guard.request-breaker", "searches_shed", 7),
                counting("guard.gc-debt", "cancelled", 11),
                counting("write.profiles", "refusals", 100)));
    assertEquals(new Counts(3, 5, 18, 0), figures.read());
  }

  @Test
  void theLongestWaitIsOfNow() {
    assertEquals(
        new Counts(0, 0, 0, 2500),
        new GuardFigures(List.of(counting("guard.inbound-budget", "longest_wait", 2500))).read());
  }

  @Test
  void withoutGuardsNothingIsCounted() {
    assertEquals(Counts.NONE, new GuardFigures(List.of()).read());
  }
}
