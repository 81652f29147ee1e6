package io.millrace.doctor.report;

import io.millrace.doctor.catalogue.Examination;
import java.util.Locale;

/** How an examination is written. */
public enum ReportFormat {
  TEXT {
    @Override
    public String write(Examination examination, String url) {
      return new TextReport(examination, url).write();
    }
  },
  JSON {
    @Override
    public String write(Examination examination, String url) {
      return JsonReport.write(examination, url);
    }
  },
  HTML {
    @Override
    public String write(Examination examination, String url) {
      return new HtmlReport(examination, url).write();
    }
  },
  SARIF {
    @Override
    public String write(Examination examination, String url) {
      return SarifReport.write(examination, url);
    }
  };

  /**
   * @param url where the cluster answers, for commands to paste
   */
  public abstract String write(Examination examination, String url);

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
