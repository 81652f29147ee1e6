package io.millrace.kernel.settings;

import java.util.function.Consumer;
import org.opensearch.common.settings.Setting;

/** The on/off setting of one feature and its value on this node. */
public final class Switch {
  private final Knob<Boolean> knob;

  /**
   * @param setting dynamic, of node scope
   */
  public Switch(Setting<Boolean> setting) {
    knob = new Knob<>(setting, "Switches the feature on every node.");
  }

  /** The switch as what it is, a setting with a doc and a value. */
  public Knob<Boolean> knob() {
    return knob;
  }

  /** The dynamic cluster setting behind this switch. */
  public Setting<Boolean> setting() {
    return knob.setting();
  }

  /** Whether the feature is on now; the default before the plugin has bound it. */
  public boolean on() {
    return knob.value();
  }

  /** Hands over whether it is on now, and every later change. */
  public void follow(Consumer<Boolean> follower) {
    knob.follow(follower);
  }
}
