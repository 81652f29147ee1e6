package io.millrace.doctor.report;

import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.page.Html;

/** One file to send: opens without a network, light and dark, readable on a phone and on paper. */
final class HtmlReport {
  private final Examination examination;
  private final String url;
  private final StringBuilder out = new StringBuilder();

  HtmlReport(Examination examination, String url) {
    this.examination = examination;
    this.url = url;
  }

  String write() {
    out.append("<h1>")
        .append(Html.text(url))
        .append("</h1>\n<p>")
        .append(Html.text(Headline.of(examination)));
    out.append("</p>\n<p class=\"dim\">").append(Html.text(Headline.looked(examination)));
    out.append(" Taken ").append(examination.snapshot().taken()).append(".</p>\n");
    if (examination.findings().isEmpty()) {
      out.append("<p>Nothing is wrong that these checks know of.</p>\n");
    }
    examination.findings().forEach(this::finding);
    if (!examination.blind().isEmpty()) {
      out.append("<h2>Checks that could not look</h2>\n<table>\n");
      examination.blind().forEach((id, why) -> row(id, why));
      out.append("</table>\n");
    }
    return Html.page("Doctor: " + url, out.toString());
  }

  private void finding(Finding finding) {
    String severity = finding.severity().text();
    out.append("<article class=\"")
        .append(severity)
        .append("\" id=\"")
        .append(finding.check().id())
        .append("\">\n<h2><span class=\"tag\">");
    out.append(severity)
        .append("</span> ")
        .append(Html.text(finding.check().title()))
        .append("</h2>\n<p>");
    out.append(Html.text(finding.what()))
        .append(" <span class=\"dim\">")
        .append(finding.check().id())
        .append("</span></p>\n<table>\n");
    finding.evidence().forEach(e -> row(e.path(), e.value()));
    out.append("</table>\n<dl>\n");
    term("Why it hurts", finding.check().why());
    fix(finding.fix());
    term("Effect", finding.check().effect());
    undo(finding.fix());
    term("Source", finding.check().source());
    out.append("</dl>\n</article>\n");
  }

  private void fix(Fix fix) {
    out.append("<dt>Fix</dt><dd>");
    if (fix.advice() != null) {
      out.append(Html.text(fix.advice()));
    }
    fix.calls().forEach(call -> code(call.curl(url)));
    if (fix.config() != null) {
      code(fix.config());
    }
    out.append("</dd>\n");
  }

  private void undo(Fix fix) {
    if (fix.undo().isEmpty() && fix.undoAdvice() == null) {
      return;
    }
    out.append("<dt>Undo</dt><dd>");
    if (fix.undoAdvice() != null) {
      out.append(Html.text(fix.undoAdvice()));
    }
    fix.undo().forEach(call -> code(call.curl(url)));
    out.append("</dd>\n");
  }

  private void code(String text) {
    out.append("<pre>").append(Html.text(text)).append("</pre>");
  }

  private void term(String name, String text) {
    out.append("<dt>").append(name).append("</dt><dd>").append(Html.text(text)).append("</dd>\n");
  }

  private void row(String left, String right) {
    out.append("<tr><td>")
        .append(Html.text(left))
        .append("</td><td>")
        .append(Html.text(right))
        .append("</td></tr>\n");
  }
}
