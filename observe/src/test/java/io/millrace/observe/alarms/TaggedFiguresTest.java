package io.millrace.observe.alarms;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.kernel.Feature;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Switch;
import io.millrace.observe.alarms.TaggedFigures.Figure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaggedFiguresTest {
  private static Feature counting(String id, Tag tag, long value) {
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
            Metric.counter("tagged", "requests", "Counted", () -> value).tagged(tag),
            Metric.counter("more", "requests", "Counted too", () -> 1).tagged(tag),
            Metric.counter("another", "requests", "Not asked for", () -> 1000));
      }
    };
  }

  @Test
  void addsUpOverMetricsAndFeaturesOfATag() {
    TaggedFigures figures =
        new TaggedFigures(
            List.of(
                counting("guard.a", Tag.REFUSED_UPLOADS, 3),
                counting("guard.b", Tag.STOPPED_REQUESTS, 7),
                counting("write.c", Tag.STOPPED_REQUESTS, 11)));
    assertEquals(
        Map.of(
            Tag.REFUSED_UPLOADS,
            new Figure(4, "guard.a"),
            Tag.STOPPED_REQUESTS,
            new Figure(20, "guard.b,write.c")),
        figures.read());
  }

  @Test
  void theLargestValueIsNamed() {
    Feature feature =
        new Feature() {
          @Override
          public String id() {
            return "write.a";
          }

          @Override
          public String summary() {
            return "loses";
          }

          @Override
          public List<String> sources() {
            return List.of();
          }

          @Override
          public Switch enabled() {
            return Feature.switchFor(id(), true);
          }

          @Override
          public List<Metric> metrics() {
            return List.of(
                new Metric(
                        "lost",
                        Kind.GAUGE,
                        "documents",
                        "Lost",
                        Merge.SUM,
                        () ->
                            List.of(
                                new Sample(Map.of("field", "a"), 2),
                                new Sample(Map.of("field", "b"), 5)))
                    .tagged(Tag.LOST_VALUES));
          }
        };
    assertEquals(
        Map.of(Tag.LOST_VALUES, new Figure(7, "write.a", Map.of("field", "b"))),
        new TaggedFigures(List.of(feature)).read());
  }

  @Test
  void withoutTaggedMetricsNothingIsCounted() {
    assertEquals(Map.of(), new TaggedFigures(List.of()).read());
  }
}
