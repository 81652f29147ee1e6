package io.millrace.plugin;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.observe.dashboard.DashboardFeature;
import io.millrace.plugin.stats.Build;
import io.millrace.plugin.stats.FeatureStatsAction;
import io.millrace.plugin.stats.LocalFeatures;
import io.millrace.plugin.stats.RestCatFeaturesAction;
import io.millrace.plugin.stats.RestFeatureStatsAction;
import io.millrace.plugin.stats.RestFeaturesAction;
import io.millrace.plugin.stats.TransportFeatureStatsAction;
import java.util.List;
import org.opensearch.plugins.ActionPlugin.ActionHandler;

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
    hooks.component(new LocalFeatures(features, Build.current()));
    hooks.action(
        new ActionHandler<>(FeatureStatsAction.INSTANCE, TransportFeatureStatsAction.class));
    hooks.rest(
        new RestFeaturesAction(
            features.stream()
                .filter(DashboardFeature.class::isInstance)
                .map(DashboardFeature.class::cast)
                .findFirst()
                .orElse(null)));
    hooks.rest(new RestFeatureStatsAction());
    hooks.rest(new RestCatFeaturesAction());
  }
}
