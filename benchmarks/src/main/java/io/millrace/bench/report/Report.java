package io.millrace.bench.report;

import io.millrace.bench.json.BenchJson;
import io.millrace.bench.run.BenchResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The two files of a run: {@code results.json} with everything, {@code report.html} made of it. */
public final class Report {
  private Report() {}

  /** Writes both files and returns the path of the HTML one. */
  public static Path write(BenchResult result, Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("results.json"), BenchJson.pretty(result) + "\n");
    return html(result, folder);
  }

  /** Makes the HTML file anew from a {@code results.json}. */
  public static Path again(Path results) throws IOException {
    BenchResult result = BenchJson.mapper().readValue(results.toFile(), BenchResult.class);
    Path folder = results.toAbsolutePath().getParent();
    return html(result, folder == null ? Path.of(".") : folder);
  }

  private static Path html(BenchResult result, Path folder) throws IOException {
    Path file = folder.resolve("report.html");
    Files.writeString(file, page(result));
    return file;
  }

  /** The whole page: style and charts inside, nothing loaded from anywhere. */
  static String page(BenchResult result) {
    StringBuilder page = new StringBuilder(1 << 16);
    page.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    page.append("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">");
    page.append("<title>").append(Markup.escape(result.title())).append("</title><style>\n");
    page.append(style()).append("</style></head><body><main>\n");
    page.append("<h1>").append(Markup.escape(result.title())).append("</h1>\n");
    page.append(
        "<p>Stock and Millrace took turns on one machine with the same documents; figures are"
            + " medians over the rounds, ratios are taken round by round. CPU is what the operating"
            + " system charged the server's process.</p>\n");
    result.scenarios().forEach(scenario -> ScenarioSection.write(page, scenario));
    run(page, result);
    return page.append("</main></body></html>\n").toString();
  }

  private static void run(StringBuilder page, BenchResult result) {
    page.append("<section><h2>The machine and the run</h2>\n<table class=\"facts\">");
    result.machine().forEach((name, value) -> fact(page, name, value));
    fact(page, "git revision", result.revision());
    fact(page, "duration", result.seconds() + " s");
    result.parameters().forEach((name, value) -> fact(page, name, value));
    page.append("</table>\n<p>Command:</p><pre>");
    page.append(Markup.escape(result.command())).append("</pre>\n");
    page.append(
        "<p>All figures, settings and command lines also stand in <code>results.json</code> beside"
            + " this file.</p></section>\n");
  }

  private static void fact(StringBuilder page, String name, String value) {
    page.append("<tr><th>").append(Markup.escape(name)).append("</th><td>");
    page.append(Markup.escape(value)).append("</td></tr>\n");
  }

  /** A table of facts about names and values of any kind. */
  static void facts(StringBuilder page, Map<String, ?> facts) {
    page.append("<table class=\"facts\">");
    facts.forEach((name, value) ->
        fact(page, name, value instanceof String text ? text : BenchJson.string(value)));
    page.append("</table>\n");
  }

  private static String style() {
    try (InputStream in = Report.class.getResourceAsStream("report.css")) {
      if (in == null) {
        throw new IllegalStateException("resource report.css is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
