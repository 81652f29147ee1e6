package io.millrace.bench.report;

import io.millrace.bench.answers.Comparison;
import io.millrace.bench.run.BenchResult.GoalResult;
import io.millrace.bench.run.BenchResult.ScenarioResult;
import io.millrace.bench.run.BenchResult.SideResult;
import io.millrace.bench.run.BenchResult.Verdict;
import io.millrace.bench.run.Sample.QueryFigures;
import io.millrace.bench.scenario.Contender;
import io.millrace.bench.scenario.Measure;
import io.millrace.bench.stats.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** One scenario of the report: verdicts, charts, then every raw number. */
final class ScenarioSection {
  private static final List<Measure> CHARTS =
      List.of(
          Measure.CPU_PER_DOC,
          Measure.DOCS_PER_CPU_SECOND,
          Measure.LOAD_SECONDS,
          Measure.SHARD_WRITES_PER_BULK,
          Measure.CLUSTER_STATES,
          Measure.CPU_PER_QUERY,
          Measure.FETCH_10_P50,
          Measure.FETCH_100_P50);

  private final StringBuilder page;
  private final ScenarioResult scenario;

  private ScenarioSection(StringBuilder page, ScenarioResult scenario) {
    this.page = page;
    this.scenario = scenario;
  }

  static void write(StringBuilder page, ScenarioResult scenario) {
    ScenarioSection section = new ScenarioSection(page, scenario);
    page.append("<section><h2>").append(Markup.escape(scenario.title())).append("</h2>\n");
    section.introduction();
    section.problems();
    section.goals();
    section.charts();
    section.answers();
    section.raw();
    page.append("</section>\n");
  }

  private void introduction() {
    page.append("<p><code>")
        .append(Markup.escape(scenario.name()))
        .append("</code>: ")
        .append(Markup.escape(scenario.workload()))
        .append(
            String.format(
                Locale.ROOT,
                "; %,d documents per side and round, %s of bulk bodies, %d rounds.</p>%n",
                scenario.documents(),
                Figures.bytes(scenario.bytes()),
                scenario.rounds()));
    if (!scenario.notes().isEmpty()) {
      page.append("<ul>");
      scenario
          .notes()
          .forEach(note -> page.append("<li>").append(Markup.escape(note)).append("</li>"));
      page.append("</ul>\n");
    }
  }

  private void problems() {
    if (!scenario.problems().isEmpty()) {
      page.append("<div class=\"problems\"><strong>Read with care:</strong><ul>");
      scenario
          .problems()
          .forEach(problem -> page.append("<li>").append(Markup.escape(problem)).append("</li>"));
      page.append("</ul></div>\n");
    }
  }

  private void goals() {
    if (scenario.goals().isEmpty()) {
      return;
    }
    page.append(
        "<table><tr><th></th><th>goal</th><th>figure</th><th>bound</th><th>rounds</th><th>what it"
            + " is</th></tr>\n");
    for (GoalResult goal : scenario.goals()) {
      Double figure = goal.figure();
      page.append("<tr><td><span class=\"verdict ")
          .append(goal.verdict() == Verdict.MET ? "met" : "unmet")
          .append("\">")
          .append(BenchSummary.word(goal.verdict()))
          .append("</span></td><td>")
          .append(Markup.escape(goal.promise()))
          .append("</td><td class=\"n\"><strong>")
          .append(figure == null ? "-" : Figures.of(figure))
          .append("</strong></td><td class=\"n\">")
          .append(goal.atMost() ? "&le; " : "&ge; ")
          .append(Figures.of(goal.bound()))
          .append("</td><td class=\"n\">")
          .append(join(goal.rounds()))
          .append("</td><td>")
          .append(Markup.escape(goal.how()))
          .append("</td></tr>\n");
    }
    page.append("</table>\n");
  }

  private void charts() {
    page.append("<div class=\"charts\">");
    for (Measure measure : CHARTS) {
      chart(measure);
    }
    StackedBars bytes = new StackedBars();
    scenario.sides().forEach(side -> bytes.bar(side.label(), side.parts()));
    if (!bytes.isEmpty()) {
      page.append(bytes.svg(scenario.documents()));
    }
    page.append("</div>\n");
  }

  private void chart(Measure measure) {
    BarChart chart = new BarChart(measure.title(), measure.unit());
    double most = 0;
    int tone = 0;
    for (SideResult side : scenario.sides()) {
      List<Double> values = side.figures().get(measure);
      if (values != null && !values.isEmpty()) {
        Series series = Series.of(values);
        most = Math.max(most, series.max());
        if (side.tree().equals(Contender.RAW_LUCENE.title())) {
          chart.limit(side.label(), series);
        } else {
          chart.bar(side.label(), series, tone);
        }
      }
      tone++;
    }
    if (!chart.isEmpty() && most > 0) {
      page.append(chart.svg());
    }
  }

  private void answers() {
    for (Comparison answers : scenario.answers()) {
      page.append(
          String.format(
              Locale.ROOT,
              "<p>Answers of <em>%s</em> against <em>%s</em>: %,d compared, <strong>%,d"
                  + " different</strong>.</p>%n",
              Markup.escape(answers.side()),
              Markup.escape(answers.reference()),
              answers.compared(),
              answers.different()));
      for (String excerpt : answers.excerpts()) {
        page.append("<pre>").append(Markup.escape(excerpt)).append("</pre>\n");
      }
    }
  }

  private void raw() {
    page.append("<details><summary>Every number, setting and command</summary>\n");
    page.append("<p>Order: ").append(Markup.escape(String.join(", ", scenario.order())));
    page.append("</p>\n");
    figures();
    kinds();
    bytes();
    for (SideResult side : scenario.sides()) {
      page.append("<h4>").append(Markup.escape(side.label())).append(" (");
      page.append(Markup.escape(side.tree())).append(")</h4>\n");
      Map<String, Object> facts = new LinkedHashMap<>();
      if (side.unavailable() != null) {
        facts.put("not measured", side.unavailable());
      }
      facts.putAll(side.settings());
      facts.put("load average before each round", String.join("; ", side.loads()));
      facts.put("process", String.join(" ", side.command()));
      Report.facts(page, facts);
    }
    page.append("</details>\n");
  }

  private void figures() {
    page.append("<table><tr><th>measure</th><th>side</th><th>median</th><th>spread</th>");
    page.append("<th>rounds</th></tr>\n");
    for (Measure measure : Measure.values()) {
      for (SideResult side : scenario.sides()) {
        List<Double> values = side.figures().get(measure);
        if (values == null || values.isEmpty()) {
          continue;
        }
        Series series = Series.of(values);
        page.append("<tr><td>").append(Markup.escape(measure.title())).append("</td><td>");
        page.append(Markup.escape(side.label())).append("</td><td class=\"n\">");
        page.append(Figures.of(series.median(), measure.unit())).append("</td><td class=\"n\">±");
        page.append(Figures.percent(series.spread())).append("</td><td class=\"n\">");
        page.append(join(values)).append("</td></tr>\n");
      }
    }
    page.append("</table>\n");
  }

  private void kinds() {
    Set<String> kinds = new LinkedHashSet<>();
    scenario.sides().forEach(side -> kinds.addAll(side.kinds().keySet()));
    if (kinds.isEmpty()) {
      return;
    }
    page.append("<table><tr><th>kind of query</th><th>side</th><th>queries</th><th>p50 ms</th>");
    page.append("<th>p99 ms</th><th>CPU us</th><th>x the first</th></tr>\n");
    for (String kind : kinds) {
      for (SideResult side : scenario.sides()) {
        List<QueryFigures> rounds = side.kinds().get(kind);
        if (rounds == null) {
          continue;
        }
        page.append("<tr><td>").append(Markup.escape(kind)).append("</td><td>");
        page.append(Markup.escape(side.label())).append("</td><td class=\"n\">");
        page.append(rounds.getFirst().queries()).append("</td><td class=\"n\">");
        page.append(join(rounds.stream().map(QueryFigures::p50Millis).toList()));
        page.append("</td><td class=\"n\">");
        page.append(join(rounds.stream().map(QueryFigures::p99Millis).toList()));
        page.append("</td><td class=\"n\">");
        page.append(join(rounds.stream().map(QueryFigures::cpuMicros).toList()));
        page.append("</td><td class=\"n\">").append(ratio(kind, rounds)).append("</td></tr>\n");
      }
    }
    page.append("</table>\n");
  }

  /** The median of the rounds' CPU against the first side's of the same round. */
  private String ratio(String kind, List<QueryFigures> rounds) {
    List<QueryFigures> first = scenario.sides().getFirst().kinds().get(kind);
    if (first == null || first == rounds) {
      return "";
    }
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(first.size(), rounds.size()); i++) {
      if (first.get(i).cpuMicros() > 0) {
        ratios.add(rounds.get(i).cpuMicros() / first.get(i).cpuMicros());
      }
    }
    return ratios.isEmpty() ? "" : Figures.of(Series.of(ratios).median());
  }

  private void bytes() {
    Set<String> endings = new TreeSet<>();
    scenario.sides().forEach(side -> endings.addAll(side.bytes().keySet()));
    if (endings.isEmpty()) {
      return;
    }
    page.append("<table><tr><th>index bytes, last round</th>");
    for (SideResult side : scenario.sides()) {
      page.append("<th>").append(Markup.escape(side.label())).append("</th>");
    }
    page.append("</tr>\n");
    for (String ending : endings) {
      page.append("<tr><td>").append(Markup.escape(ending)).append("</td>");
      for (SideResult side : scenario.sides()) {
        page.append("<td class=\"n\">")
            .append(String.format(Locale.ROOT, "%,d", side.bytes().getOrDefault(ending, 0L)))
            .append("</td>");
      }
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }

  private static String join(List<Double> values) {
    List<String> words = new ArrayList<>();
    values.forEach(value -> words.add(Figures.of(value)));
    return String.join(", ", words);
  }
}
