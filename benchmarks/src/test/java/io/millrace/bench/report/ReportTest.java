package io.millrace.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.bench.answers.Comparison;
import io.millrace.bench.run.BenchResult;
import io.millrace.bench.run.BenchResult.GoalResult;
import io.millrace.bench.run.BenchResult.ScenarioResult;
import io.millrace.bench.run.BenchResult.SideResult;
import io.millrace.bench.run.BenchResult.Verdict;
import io.millrace.bench.run.Sample.QueryFigures;
import io.millrace.bench.scenario.Measure;
import io.millrace.bench.stats.Series;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static SideResult side(String label, String tree, Double... cpu) {
    return new SideResult(
        label,
        tree,
        cpu.length == 0 ? "unknown setting [x]" : null,
        cpu.length == 0 ? Map.of() : figures(cpu),
        Map.of("fdt", 1000L, "tim", 500L),
        Map.of("stored fields", 1000L, "terms", 500L),
        Map.of("term", List.of(new QueryFigures(10, 1.5, 3.5, 800))),
        List.of("0.1 0.2 0.3"),
        Map.of("index", Map.of("codec", "<zstandard>")),
        List.of("java", "-Xmx1g"));
  }

  private static Map<Measure, List<Double>> figures(Double... cpu) {
    return Map.of(
        Measure.CPU_PER_DOC, List.of(cpu),
        Measure.COLLECTION_PAUSES, List.of(31.0),
        Measure.LONGEST_PAUSE, List.of(3.3),
        Measure.P99_PAUSE, List.of(3.0),
        Measure.LONGEST_AT_SAFEPOINT, List.of(1.04),
        Measure.P99_AT_SAFEPOINT, List.of(0.11),
        Measure.LONGEST_REACHING, List.of(2.2));
  }

  private static BenchResult result() {
    ScenarioResult scenario =
        new ScenarioResult(
            "equal-settings",
            "INGEST",
            "Title with <tags> & \"quotes\"",
            "documents",
            1000,
            355_000,
            2,
            List.of("stock", "new", "new", "stock"),
            List.of(
                side("stock", "stock OpenSearch", 40.0, 42.0),
                side("<b>new</b>", "Millrace", 20.0, 19.0),
                side("raw Lucene", "raw Lucene", 28.0, 27.0),
                side("absent", "Millrace")),
            List.of(
                new GoalResult(
                    "half of it",
                    Measure.CPU_PER_DOC,
                    "how",
                    true,
                    0.5,
                    0.48,
                    List.of(0.5, 0.45),
                    Verdict.MET),
                new GoalResult(
                    "a third",
                    Measure.P99_PAUSE,
                    "how",
                    true,
                    0.3,
                    0.48,
                    List.of(0.48),
                    Verdict.MISSED),
                new GoalResult(
                    "more",
                    Measure.CPU_PER_DOC,
                    "how",
                    true,
                    1,
                    null,
                    List.of(),
                    Verdict.NOT_MEASURED)),
            List.of(new Comparison("new", "stock", 1000, 1, List.of("term <script>x</script>"))),
            List.of("a note"),
            List.of("1 of 1000 answers differ"));
    return new BenchResult(
        "Stock against Millrace",
        Map.of("processor", "A & B"),
        "abc123",
        "millrace bench ingest",
        Map.of("rounds", "2"),
        List.of(scenario),
        12);
  }

  @Test
  void everythingIsEscaped() {
    String page = Report.page(result());
    assertFalse(page.contains("<script"), "no script, neither ours nor another's");
    assertFalse(page.contains("<b>new"));
    assertTrue(page.contains("&lt;b&gt;new&lt;/b&gt;"));
    assertTrue(page.contains("Title with &lt;tags&gt; &amp; &quot;quotes&quot;"));
    assertEquals("&#39;&amp;&lt;\ufffd", Markup.escape("'&<\u0001"));
  }

  @Test
  void nothingIsLoadedFromAnywhere() {
    String page = Report.page(result());
    for (String word : List.of("http://", "https://", "src=", "@import", "url(", "<link")) {
      assertFalse(page.contains(word), word);
    }
  }

  @Test
  void theVerdictAndEveryRoundAreThere() {
    String page = Report.page(result());
    assertTrue(page.contains(">met<"));
    assertTrue(page.contains(">missed<"));
    assertTrue(page.contains(">not measured<"));
    assertTrue(page.contains("40, 42"));
    assertTrue(page.contains("unknown setting [x]"));
    assertTrue(page.contains("prefers-color-scheme: dark"));
    assertTrue(page.contains("class=\"limit\""), "raw Lucene is a line across the bars");
  }

  @Test
  void theTerminalShowsThePartsOfPausesWhereAGoalIsOnThem() {
    String text = BenchSummary.of(result());
    assertTrue(
        text.contains(
            "longest / p99 of collections (31), ms: total 3.30 / 3; at safepoint 1.04 / 0.110;"
                + " reaching it 2.20 / -"),
        text);
  }

  @Test
  void chartsAreWellFormed() throws Exception {
    BarChart chart = new BarChart("a < b", "us");
    chart.bar("one & only", Series.of(1, 2, 3), 0);
    chart.bar("zero", Series.of(0), 1);
    chart.limit("limit", Series.of(2.5));
    parse(chart.svg());
    StackedBars stacked = new StackedBars();
    stacked.bar("<side>", Map.of("terms", 10L, "stored fields", 100L));
    parse(stacked.svg(10));
  }

  private static void parse(String xml) throws Exception {
    var document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    assertEquals("figure", document.getDocumentElement().getTagName());
  }

  @Test
  void theSamePageComesFromTheJson(@TempDir Path folder) throws IOException {
    Path html = Report.write(result(), folder);
    String first = Files.readString(html);
    Files.delete(html);
    assertEquals(first, Files.readString(Report.again(folder.resolve("results.json"))));
  }

  @Test
  void theSummaryPutsTheGoalBesideTheFigure() {
    String text = BenchSummary.of(result());
    assertTrue(text.contains("met          half of it: 0.480 (bound <= 0.500)"), text);
    assertTrue(text.contains("missed       a third: 0.480"), text);
    assertTrue(text.contains("not measured more: no figure"), text);
    assertTrue(text.contains("1,000 compared, 1 different"), text);
    assertTrue(text.contains("PROBLEM"), text);
  }

  @Test
  void numbersKeepThreeDigits() {
    assertEquals("1,234,567", Figures.of(1234567));
    assertEquals("123", Figures.of(123.4));
    assertEquals("12.3", Figures.of(12.34));
    assertEquals("1.23", Figures.of(1.234));
    assertEquals("0.123", Figures.of(0.1234));
    assertEquals("0", Figures.of(0));
    assertEquals("1.50 MiB", Figures.bytes(1.5 * (1 << 20)));
  }
}
