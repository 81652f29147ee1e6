package io.millrace.guard.templates;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.util.concurrent.ThreadContext;

/**
 * What the templates of one request write is bounded, in memory and in time.
 *
 * <p>Why: a template of 40 characters with three loops inside one another over a list of 300 writes
 * 27 million values. Stock counts none of them before the text is complete; an {@code
 * _msearch/template} of 50 ends a node of 512 MB.
 */
public final class TemplateLimitFeature implements Feature {
  static final String ID = "guard.template-limit";

  private static final Logger LOG = LogManager.getLogger(TemplateLimitFeature.class);

  private final Switch enabled = Feature.switchFor(ID, true);
  private final TextLimits limits = new TextLimits();
  private final TextLedger ledger = new TextLedger(limits);
  private volatile @Nullable ThreadContext context;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "What the templates of one request write is bounded, in memory and in time";
  }

  @Override
  public List<String> sources() {
    return List.of("template-limit");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return limits.knobs();
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.gauge(
            "held",
            "bytes",
            "Memory that the texts of templates are estimated to take now",
            ledger::held),
        Metric.counter(
                "refused",
                "templates",
                "Templates that were stopped because they wrote too much or took too long",
                ledger.refused::sum)
            .tagged(Tag.STOPPED_REQUESTS));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.actionFilter(new TextFilter(enabled::on, ledger, () -> context));
  }

  @Override
  public void start(NodeServices services) {
    ThreadContext threads = services.threadPool().getThreadContext();
    context = threads;
    try {
      ScriptEngines.guard(
          services.scriptService(),
          enabled::on,
          engine ->
              new BoundedEngine(engine, enabled::on, ledger, () -> TextFilter.ofThread(threads)));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("templates are not bounded, this is not the OpenSearch that was expected", e);
    }
  }
}
