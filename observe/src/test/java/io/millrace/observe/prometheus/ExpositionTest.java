package io.millrace.observe.prometheus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.observe.prometheus.Exposition.Format;
import io.millrace.observe.prometheus.Exposition.Type;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExpositionTest {
  private static Exposition page(Format format) {
    Exposition page = new Exposition(format);
    page.add("a.b-c", Type.COUNTER, "", "what \"it\" \\ is\nhere", Map.of(), 3);
    page.add("t", Type.COUNTER, "seconds", "time", Map.of("index", "a\"b\\c\nd"), 0.5);
    page.add("g", Type.GAUGE, "bytes", "size", Map.of("b", "2", "a", "1"), 1L << 40);
    return page;
  }

  @Test
  void prometheusText() {
    assertEquals(
        """
        # HELP a_b_c_total what "it" \\\\ is\\nhere
        # TYPE a_b_c_total counter
        a_b_c_total 3
        # HELP t_seconds_total time
        # TYPE t_seconds_total counter
        t_seconds_total{index="a\\"b\\\\c\\nd"} 0.5
        # HELP g_bytes size
        # TYPE g_bytes gauge
        g_bytes{a="1",b="2"} 1099511627776
        """,
        page(Format.PROMETHEUS).text());
  }

  @Test
  void openMetricsText() {
    assertEquals(
        """
        # HELP a_b_c what \\"it\\" \\\\ is\\nhere
        # TYPE a_b_c counter
        a_b_c_total 3
        # HELP t_seconds time
        # TYPE t_seconds counter
        # UNIT t_seconds seconds
        t_seconds_total{index="a\\"b\\\\c\\nd"} 0.5
        # HELP g_bytes size
        # TYPE g_bytes gauge
        # UNIT g_bytes bytes
        g_bytes{a="1",b="2"} 1099511627776
        # EOF
        """,
        page(Format.OPENMETRICS).text());
  }

  @Test
  void familiesStandTogetherAndDuplicatesAreDropped() {
    Exposition page = new Exposition(Format.PROMETHEUS);
    page.add("x", Type.GAUGE, "", "h", Map.of("n", "1"), 1);
    page.add("y", Type.GAUGE, "", "h", Map.of(), Double.NaN);
    page.add("x", Type.GAUGE, "", "h", Map.of("n", "2"), 2);
    page.add("x", Type.GAUGE, "", "h", Map.of("n", "1"), 9);
    assertTrue(page.text().contains("x{n=\"1\"} 1\nx{n=\"2\"} 2\n# HELP y"), page.text());
    assertFalse(page.text().contains(" 9"));
    assertTrue(page.text().contains("y NaN"));
    assertEquals(3, page.samples());
  }

  @Test
  void histogramsAreCumulative() {
    Exposition page = new Exposition(Format.PROMETHEUS);
    page.addHistogram("d", "seconds", "h", new double[] {0.1, 1}, new long[] {2, 5}, 6, 7.25);
    assertEquals(
        """
        # HELP d_seconds h
        # TYPE d_seconds histogram
        d_seconds_bucket{le="0.1"} 2
        d_seconds_bucket{le="1"} 5
        d_seconds_bucket{le="+Inf"} 6
        d_seconds_sum 7.25
        d_seconds_count 6
        """,
        page.text());
  }

  @Test
  void formatIsNegotiated() {
    assertEquals(Format.PROMETHEUS, Format.accepted(List.of()));
    assertEquals(Format.PROMETHEUS, Format.accepted(List.of("text/plain", "*/*")));
    assertEquals(
        Format.OPENMETRICS,
        Format.accepted(
            List.of("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5")));
  }
}
