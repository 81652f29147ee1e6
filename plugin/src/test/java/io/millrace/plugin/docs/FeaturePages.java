package io.millrace.plugin.docs;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.hooks.HookRegistry;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.profile.Profile;
import io.millrace.kernel.settings.Knob;
import io.millrace.plugin.SettingFacts;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;

/** Renders settings, features and metrics as Markdown. */
final class FeaturePages {
  private static final String NOTE =
      "<!-- rendered from the code: mvn -pl plugin -am verify -Dmillrace.docs.rewrite=true -->\n\n";

  /** Around the settings table that a feature's page may hold. */
  static final String BEGIN = "<!-- settings:begin -->";

  static final String END = "<!-- settings:end -->";

  private FeaturePages() {}

  /**
   * @param shipped the settings of the distribution's nodes
   */
  static String features(List<Feature> features, Settings shipped) {
    Set<String> ofLogs = ofLogs(features);
    StringBuilder page = new StringBuilder("# Features\n\n").append(NOTE);
    page.append("| feature | what it does | on by default | keeps the promise |\n");
    page.append("|---|---|---|---|\n");
    for (Feature feature : features) {
      row(
          page,
          "[" + feature.id() + "](../" + page(feature.id()) + ")",
          feature.summary(),
          onByDefault(feature, shipped, ofLogs),
          feature.sources().stream()
              .map(promise -> "[" + promise + "](promises.md#" + promise + ")")
              .collect(Collectors.joining(", ")));
    }
    page.append(
        """

        Each feature has a switch, named on its page; off means stock's behaviour. The third column holds for the plugin in any cluster.
        *In the distribution* says that nodes which `./millrace up` or the distribution starts have it on. *In logs* says that indices with the [profile](../write/docs/profiles.md) `logs` have it on: those that the distribution gives it to by their name, and those whose template or request names it.
        Where a feature is off in both, its page says why, or [what a profile leaves out](../write/docs/profiles.md#what-a-profile-leaves-out).
        """);
    return page.toString();
  }

  private static Set<String> ofLogs(List<Feature> features) {
    HookRegistry registry = new HookRegistry();
    for (Feature feature : features) {
      registry.declare(feature.id(), feature::declare);
    }
    Set<String> keys = new HashSet<>();
    registry.declare(
        "features.md",
        hooks -> hooks.profiles().of(Profile.LOGS).forEach(entry -> keys.add(entry.key())));
    return keys;
  }

  static String settings(List<Feature> features) {
    StringBuilder page = new StringBuilder("# Settings\n\n").append(NOTE);
    page.append("Where a setting is given, and when it may change:\n\n");
    page.append("| scope | where | when |\n|---|---|---|\n");
    row(page, "cluster, dynamic", "`opensearch.yml` or `PUT _cluster/settings`", "at any time");
    row(page, "opensearch.yml only", "`opensearch.yml`", "the node is started anew");
    row(page, "index, dynamic", "a template, create index, `PUT {index}/_settings`", "at any time");
    row(page, "index, while closed", "the same", "at creation, or while the index is closed");
    row(page, "index, at creation only", "a template or create index", "never after");
    page.append('\n');
    page.append("## kernel\n\n");
    page.append(settingsTable(FeaturePlugin.kernelKnobs())).append('\n');
    for (Feature feature : features) {
      page.append("## ").append(feature.id()).append("\n\n");
      page.append(settingsTable(feature)).append('\n');
    }
    return page.toString().stripTrailing() + "\n";
  }

  /** The settings of one feature, its switch first; also stands in the feature's own page. */
  static String settingsTable(Feature feature) {
    return settingsTable(feature.settings().toList());
  }

  private static String settingsTable(List<Knob<?>> knobs) {
    StringBuilder table = new StringBuilder("| setting | default | scope | what it does |\n");
    table.append("|---|---|---|---|\n");
    for (Knob<?> knob : knobs) {
      SettingFacts facts = SettingFacts.of(knob.setting());
      String value = facts.byDefault().isEmpty() ? "none" : "`" + facts.byDefault() + "`";
      row(table, "`" + knob.key() + "`", value, facts.scope(), knob.doc());
    }
    return table.toString();
  }

  static String metrics(List<Feature> features) {
    StringBuilder page = new StringBuilder("# Metrics\n\n").append(NOTE);
    page.append(
        "Read with `GET /_millrace/stats[/{node}][?feature=...]`. A counter grows until the node"
            + " restarts. The cluster's figure is the nodes' sum or the largest of them.\n\n");
    for (Feature feature : features) {
      if (feature.metrics().isEmpty()) {
        continue;
      }
      page.append("## ").append(feature.id()).append("\n\n");
      page.append("| metric | kind | unit | cluster | what it counts |\n|---|---|---|---|---|\n");
      for (Metric metric : feature.metrics()) {
        row(
            page,
            "`" + metric.name() + "`",
            word(metric.kind()),
            metric.unit(),
            word(metric.merge()),
            metric.doc());
      }
      page.append('\n');
    }
    return page.toString().stripTrailing() + "\n";
  }

  /**
   * Where a feature's own page stands: {@code write.bulk-routing} in write/docs/bulk-routing.md.
   */
  static String page(String id) {
    int dot = id.indexOf('.');
    return id.substring(0, dot) + "/docs/" + id.substring(dot + 1) + ".md";
  }

  private static String onByDefault(Feature feature, Settings shipped, Set<String> ofLogs) {
    boolean on = feature.enabled().setting().getDefault(Settings.EMPTY);
    if (!on) {
      return feature.enabled().setting().get(shipped) ? "in the distribution" : "no";
    }
    List<String> optIns =
        feature.knobs().stream()
            .map(Knob::setting)
            .filter(setting ->
                setting.hasIndexScope() && SettingFacts.of(setting).byDefault().equals("false"))
            .map(Setting::getKey)
            .toList();
    if (optIns.isEmpty()) {
      return "yes";
    }
    return "per index: "
        + optIns.stream()
            .map(key -> "`" + key + "`" + (ofLogs.contains(key) ? ", in logs" : ""))
            .collect(Collectors.joining(", "));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static void row(StringBuilder table, String... cells) {
    for (String cell : cells) {
      table.append("| ").append(cell.replace("|", "\\|")).append(' ');
    }
    table.append("|\n");
  }
}
