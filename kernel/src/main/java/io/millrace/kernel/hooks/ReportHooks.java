package io.millrace.kernel.hooks;

import io.millrace.kernel.report.DiskRelief;
import io.millrace.kernel.report.LocalReports;
import io.millrace.kernel.report.NodeReportAction;
import io.millrace.kernel.report.NodeReportSource;
import io.millrace.kernel.report.Page;
import io.millrace.kernel.report.RestNodeReportAction;
import io.millrace.kernel.report.TransportNodeReportAction;
import java.util.List;
import org.opensearch.plugins.ActionPlugin.ActionHandler;

/**
 * What a node says about itself. Made of other hooks, so it needs no adapter: the first report
 * brings the one action that carries them all.
 */
public interface ReportHooks extends ActionHooks, NodeHooks {

  /**
   * {@code GET /_millrace/<subject>[/{node}]}: this source's report of every node, side by side.
   *
   * @throws IllegalArgumentException when another feature brought the subject
   */
  default void report(String subject, NodeReportSource source) {
    reportSource(subject, source);
    rest(new RestNodeReportAction(subject));
  }

  /** A report that nodes ask one another for and that the declarer's own REST handlers render. */
  default void reportSource(String subject, NodeReportSource source) {
    Collector reports = Collector.of(this);
    reports.subjects.add(source, subject);
    reports.local.add(subject, source);
    component(reports.local);
    action(reports.action);
  }

  /** A page for browsers at {@code /_millrace/}; there is one. */
  default void page(Page page) {
    Collector.of(this).pages.add(page, "/_millrace/");
  }

  /** The page that was declared before; empty without one. */
  default List<Page> pages() {
    return Collector.of(this).pages.values();
  }

  /** What would free a full disk; for those that warn of one. */
  default void diskRelief(DiskRelief relief) {
    Collector.of(this).reliefs.add(relief);
  }

  /** Everything that would free a full disk; complete once every feature has declared. */
  default List<DiskRelief> diskReliefs() {
    return Collector.of(this).reliefs.values();
  }

  /** What was declared. */
  final class Collector {
    private final LocalReports local = new LocalReports();
    private final ActionHandler<?, ?> action =
        new ActionHandler<>(NodeReportAction.INSTANCE, TransportNodeReportAction.class);
    private final Declarations<NodeReportSource> subjects;
    private final Declarations<Page> pages;
    private final Declarations<DiskRelief> reliefs;

    private Collector(HookRegistry registry) {
      subjects = registry.declarations("report");
      pages = registry.declarations("page");
      reliefs = registry.declarations("relief of full disks");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }
  }
}
