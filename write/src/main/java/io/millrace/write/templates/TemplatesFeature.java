package io.millrace.write.templates;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Switch;
import java.util.List;

/**
 * Index templates for logs and traces that the cluster has without anybody putting them, so that
 * whatever ships logs lands on a mapping that suits them: {@code millrace.write.templates.enabled},
 * which the distribution's configuration sets. A plugin that somebody installs elsewhere leaves the
 * templates of that cluster alone, because there nothing sets it.
 */
public final class TemplatesFeature implements Feature {
  private final Switch enabled = Feature.switchFor(id(), false);
  private final List<ShippedTemplate> shipped = ShippedTemplate.all();
  private final TemplateKeeper keeper = new TemplateKeeper(enabled, shipped);
  private final UserTemplatesFirst usersFirst =
      new UserTemplatesFirst(keeper, shipped.stream().map(ShippedTemplate::name).toList());

  @Override
  public String id() {
    return "write.templates";
  }

  @Override
  public String summary() {
    return "keeps index templates for `logs-*` and `traces-*` in the cluster, behind every template of a user's";
  }

  @Override
  public List<String> sources() {
    return List.of("installed-templates");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.peak(
                "lacking_managers",
                "nodes",
                "Nodes without the plugin that are or may be elected cluster manager, as far as"
                    + " this node knows: the elected manager knows of all, others of the manager",
                () -> keeper.withoutPlugin().managers())
            .tagged(Tag.MANAGERS_WITHOUT_PLUGIN));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.profiles().lacking(() -> keeper.withoutPlugin().some());
    hooks.actionFilter(usersFirst);
    hooks.report(TemplateKeeper.SUBJECT, keeper);
  }

  @Override
  public void start(NodeServices services) {
    usersFirst.start(services);
    keeper.start(services);
  }

  @Override
  public void stop() {
    keeper.stop();
  }
}
