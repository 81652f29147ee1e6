package io.millrace.kernel.settings;

import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;

/**
 * The on/off setting of one feature and its current value on this node.
 *
 * <p>Before {@link #bind} the value is the setting's default; afterwards it follows the node's
 * settings and every cluster-settings update. Reading it is one volatile read, so hot paths may ask
 * each time.
 */
public final class Switch {
  private final Setting<Boolean> setting;
  private volatile boolean on;

  public Switch(Setting<Boolean> setting) {
    this.setting = setting;
    this.on = setting.getDefault(Settings.EMPTY);
  }

  /** The dynamic cluster setting behind this switch. */
  public Setting<Boolean> setting() {
    return setting;
  }

  /** Whether the feature is on now. */
  public boolean on() {
    return on;
  }

  /** Takes the node's value and follows later updates; called once by the plugin. */
  public void bind(Settings nodeSettings, ClusterSettings clusterSettings) {
    on = setting.get(nodeSettings);
    clusterSettings.addSettingsUpdateConsumer(setting, value -> on = value);
  }
}
