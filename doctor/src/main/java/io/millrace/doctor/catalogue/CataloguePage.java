package io.millrace.doctor.catalogue;

import io.millrace.doctor.check.Check;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.snapshot.Probe;
import java.util.List;

/** The catalogue as a page, and one entry of it as text. */
public final class CataloguePage {
  /** Between these two lines of docs/doctor.md stands what is generated. */
  public static final String BEGIN = "<!-- checks:begin -->";

  public static final String END = "<!-- checks:end -->";

  private CataloguePage() {}

  /** What stands between the marks: a table of contents, then an entry per check. */
  public static String write(List<Check> checks) {
    StringBuilder out = new StringBuilder("\n");
    for (Area area : Area.values()) {
      List<About> here = checks.stream().map(Check::about).filter(a -> a.area() == area).toList();
      if (here.isEmpty()) {
        continue;
      }
      out.append("### ").append(area.title()).append("\n\n| check | fires when |\n|---|---|\n");
      for (About about : here) {
        out.append("| [`")
            .append(about.id())
            .append("`](#")
            .append(about.id())
            .append(") ")
            .append(cell(about.title()));
        out.append(" | ").append(cell(about.fires())).append(" |\n");
      }
      out.append('\n');
      for (About about : here) {
        out.append("#### ").append(about.id()).append("\n\n");
        out.append(about.title()).append(".\n\n");
        out.append("- *Fires when* ").append(about.fires()).append(".\n");
        out.append("- *Why it hurts*: ").append(about.why()).append('\n');
        out.append("- *Effect of the cure*: ").append(about.effect()).append(".\n");
        out.append("- *Source*: ").append(about.source()).append(".\n\n");
      }
    }
    return out.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  /** One entry, for a terminal. */
  public static String explain(Check check) {
    About about = check.about();
    return about.id()
        + ": "
        + about.title()
        + "\n\n  fires when  "
        + about.fires()
        + "\n  why         "
        + about.why()
        + "\n  effect      "
        + about.effect()
        + "\n  source      "
        + about.source()
        + "\n  reads       "
        + (check.reads().isEmpty()
            ? "files that are given"
            : String.join(", ", check.reads().stream().map(Probe::shown).toList()))
        + "\n";
  }
}
