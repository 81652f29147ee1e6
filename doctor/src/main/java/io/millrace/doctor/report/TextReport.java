package io.millrace.doctor.report;

import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.finding.Call;
import io.millrace.doctor.finding.Evidence;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.unit.Units;
import java.util.Locale;

/** For a terminal or a mail; no colours, 100 columns. */
final class TextReport {
  private static final int WIDTH = 100;

  private final Examination examination;
  private final String url;
  private final StringBuilder out = new StringBuilder();

  TextReport(Examination examination, String url) {
    this.examination = examination;
    this.url = url;
  }

  String write() {
    out.append(url).append("  ").append(Headline.of(examination)).append("\n\n");
    int number = 1;
    for (Finding finding : examination.findings()) {
      finding(number++, finding);
    }
    if (examination.findings().isEmpty()) {
      out.append("Nothing is wrong that these checks know of.\n");
    }
    wrap("", Headline.looked(examination));
    if (!examination.blind().isEmpty()) {
      out.append(examination.blind().size()).append(" could not look:\n");
      examination.blind().forEach((id, why) -> wrap("  ", id + ": " + why));
    }
    return out.toString();
  }

  private void finding(int number, Finding finding) {
    out.append(
        String.format(
            Locale.ROOT,
            "%d. %s  %s  [%s]%n",
            number,
            finding.severity().text().toUpperCase(Locale.ROOT),
            finding.check().title(),
            finding.check().id()));
    wrap("   ", finding.what());
    for (Evidence evidence : finding.evidence()) {
      out.append("     ")
          .append(Units.plain(evidence.path()))
          .append(" = ")
          .append(Units.plain(evidence.value()))
          .append('\n');
    }
    wrap("   why:    ", finding.check().why());
    fix(finding.fix());
    wrap("   effect: ", finding.check().effect());
    undo(finding.fix());
    wrap("   source: ", finding.check().source());
    out.append('\n');
  }

  private void fix(Fix fix) {
    String label = "   fix:    ";
    if (fix.advice() != null && !fix.advice().isEmpty()) {
      wrap(label, fix.advice());
      label = "           ";
    }
    for (Call call : fix.calls()) {
      out.append(label).append(call.curl(url)).append('\n');
      label = "           ";
    }
    if (fix.config() != null) {
      for (String line : fix.config().split("\n")) {
        out.append(label).append(line).append('\n');
        label = "           ";
      }
    }
  }

  private void undo(Fix fix) {
    String label = "   undo:   ";
    for (Call call : fix.undo()) {
      out.append(label).append(call.curl(url)).append('\n');
      label = "           ";
    }
    if (fix.undoAdvice() != null) {
      wrap(label, fix.undoAdvice());
    }
  }

  private void wrap(String begin, String text) {
    StringBuilder line = new StringBuilder(begin);
    int indent = begin.length();
    for (String word : Units.plain(text.replaceAll("\\s+", " ")).split(" ")) {
      if (line.length() + word.length() >= WIDTH && line.length() > indent) {
        out.append(line.toString().stripTrailing()).append('\n');
        line = new StringBuilder(" ".repeat(indent));
      }
      line.append(word).append(' ');
    }
    out.append(line.toString().stripTrailing()).append('\n');
  }
}
