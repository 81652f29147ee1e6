package io.millrace.plugin.docs;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Knob;
import io.millrace.plugin.SettingFacts;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.opensearch.common.settings.Settings;

/** Renders settings, features and metrics as Markdown. */
final class FeaturePages {
  private static final String NOTE =
      "<!-- rendered from the code: mvn -pl plugin -am verify -Dmillrace.docs.rewrite=true -->\n\n";

  /** Around the settings table that a feature's page may hold. */
  static final String BEGIN = "<!-- settings:begin -->";

  static final String END = "<!-- settings:end -->";

  private FeaturePages() {}

  static String features(List<Feature> features) {
    StringBuilder page = new StringBuilder("# Features\n\n").append(NOTE);
    page.append("| feature | what it does | on by default | keeps the promise |\n");
    page.append("|---|---|---|---|\n");
    for (Feature feature : features) {
      row(
          page,
          "[" + feature.id() + "](../" + page(feature.id()) + ")",
          feature.summary(),
          onByDefault(feature),
          feature.sources().stream()
              .map(promise -> "[" + promise + "](promises.md#" + promise + ")")
              .collect(Collectors.joining(", ")));
    }
    page.append("\nEach feature has a switch, named on its page; off means stock's behaviour.\n");
    return page.toString();
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

  private static String onByDefault(Feature feature) {
    boolean on = feature.enabled().setting().getDefault(Settings.EMPTY);
    List<String> optIns =
        feature.knobs().stream()
            .map(Knob::setting)
            .filter(setting ->
                setting.hasIndexScope() && SettingFacts.of(setting).byDefault().equals("false"))
            .map(setting -> "`" + setting.getKey() + "`")
            .toList();
    if (!on) {
      return "no";
    }
    return optIns.isEmpty() ? "yes" : "per index: " + String.join(", ", optIns);
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
