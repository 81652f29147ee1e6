package io.millrace.guard;

import io.millrace.kernel.Feature;
import io.millrace.kernel.metric.Metric;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** One node with one feature, whose settings are set by their last name and reset after a test. */
public abstract class FeatureNodeTestCase extends OpenSearchSingleNodeTestCase {

  /** The feature on the node that runs now. */
  protected abstract Feature feature();

  @Override
  public void tearDown() throws Exception {
    update(Settings.builder().putNull(feature().prefix() + ".*"));
    super.tearDown();
  }

  /** Sets one setting of the feature, {@code limit} for example. */
  protected final void set(String name, Object value) {
    set(Map.of(name, value));
  }

  /** Sets several at once, where one is only valid with the others. */
  protected final void set(Map<String, Object> values) {
    Settings.Builder settings = Settings.builder();
    values.forEach(
        (name, value) -> settings.put(feature().prefix() + "." + name, value.toString()));
    update(settings);
  }

  private void update(Settings.Builder settings) {
    client().admin().cluster().prepareUpdateSettings().setPersistentSettings(settings).get();
  }

  /** What the feature's metric of this name counts now. */
  protected final double metric(String name) {
    for (Metric metric : feature().metrics()) {
      if (metric.name().equals(name)) {
        return metric.samples().get().get(0).value();
      }
    }
    throw new AssertionError(name);
  }
}
