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
    this(setting, "Switches the feature on every node.");
  }

  /**
   * A switch with a sentence of its own.
   *
   * @param setting of node scope; static where a request must not be able to change it
   */
  public Switch(Setting<Boolean> setting, String doc) {
    knob = new Knob<>(setting, doc);
  }

  /** The switch as what it is, a setting with a doc and a value. */
  public Knob<Boolean> knob() {
    return knob;
  }

  /** The setting behind this switch, a dynamic cluster setting as a rule. */
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
