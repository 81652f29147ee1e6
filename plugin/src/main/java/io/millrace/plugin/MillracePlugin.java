package io.millrace.plugin;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.plugin.stats.Build;
import io.millrace.plugin.stats.LocalFeatures;
import io.millrace.plugin.stats.RestCatFeaturesAction;
import io.millrace.plugin.stats.RestFeatureStatsAction;
import io.millrace.plugin.stats.RestFeaturesAction;
import java.util.List;

/** The product's plugin: every feature, and the API that lists them with their figures. */
public final class MillracePlugin extends FeaturePlugin {
  public MillracePlugin() {
    this(Features.all());
  }

  MillracePlugin(List<Feature> features) {
    super(features);
  }

  @Override
  protected void declare(Hooks hooks) {
    LocalFeatures local = new LocalFeatures(features, Build.current());
    hooks.reportSource(LocalFeatures.FEATURES, local::switches);
    hooks.reportSource(LocalFeatures.STATS, local::stats);
    hooks.rest(new RestFeaturesAction(hooks.pages()));
    hooks.rest(new RestFeatureStatsAction());
    hooks.rest(new RestCatFeaturesAction());
  }
}
