package io.millrace.access.control;

import io.millrace.kernel.Feature;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;

/**
 * Users, roles and keys, and one filter that asks them before every action.
 *
 * <p>The switch is static and of the node: a request cannot take the lock off. Promise: {@code
 * access}.
 */
public final class AccessControlFeature implements Feature {
  /** The feature's id. */
  public static final String ID = "access.control";

  /** The switch of the whole domain. */
  public static final Setting<Boolean> ENABLED =
      Setting.boolSetting("millrace.access.enabled", false, Property.NodeScope);

  private final Switch enabled =
      new Switch(
          ENABLED,
          "Whether this node asks who somebody is and what they may do. Give all nodes of a cluster"
              + " the same value.");

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Users, API keys and roles; every action is checked";
  }

  @Override
  public List<String> sources() {
    return List.of("access");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }
}
