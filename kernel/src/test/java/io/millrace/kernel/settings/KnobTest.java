package io.millrace.kernel.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;

/** A knob answers the default, then the node's value, then that of each update. */
class KnobTest {
  private final Knob<Integer> dynamic =
      new Knob<>(
          Setting.intSetting("a.dynamic", 1, 0, 9, Property.NodeScope, Property.Dynamic), "Many");
  private final Knob<Integer> fixed =
      new Knob<>(Setting.intSetting("a.fixed", 1, Property.NodeScope), "Some");
  private final Knob<Integer> ofIndices =
      new Knob<>(Setting.intSetting("index.a", 1, Property.IndexScope, Property.Final), "Each");

  private static Settings settings(int value) {
    return Settings.builder().put("a.dynamic", value).put("a.fixed", value).build();
  }

  private ClusterSettings bind(Settings node) {
    ClusterSettings updates = new ClusterSettings(node, Set.of(dynamic.setting(), fixed.setting()));
    List.of(dynamic, fixed, ofIndices).forEach(knob -> knob.bind(node, updates));
    return updates;
  }

  @Test
  void defaultThenNodeThenUpdates() {
    assertEquals(1, dynamic.value());
    ClusterSettings updates = bind(settings(2));
    assertEquals(2, dynamic.value());
    assertEquals(2, fixed.value());
    updates.applySettings(Settings.builder().put("a.dynamic", 3).build());
    assertEquals(3, dynamic.value());
    updates.applySettings(Settings.EMPTY);
    assertEquals(2, dynamic.value(), "taken back: what the node's file says");
    assertEquals(2, fixed.value());
  }

  @Test
  void anIllegalUpdateChangesNothing() {
    ClusterSettings updates = bind(settings(2));
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> updates.applySettings(Settings.builder().put("a.dynamic", 10).build()));
    assertTrue(refused.toString().contains("a.dynamic"), refused.toString());
    assertEquals(2, dynamic.value());
  }

  @Test
  void followersHearTheValueOfNowAndEveryLaterOne() {
    List<Integer> heard = new ArrayList<>();
    dynamic.follow(heard::add);
    ClusterSettings updates = bind(settings(2));
    updates.applySettings(Settings.builder().put("a.dynamic", 3).build());
    assertEquals(List.of(1, 2, 3), heard);
  }

  @Test
  void whatDependsOnSeveralSeesTheirNewValues() {
    ClusterSettings updates = bind(settings(2));
    List<Integer> sums = new ArrayList<>();
    Knob.follow(() -> sums.add(dynamic.value() + fixed.value()), dynamic, fixed);
    updates.applySettings(Settings.builder().put("a.dynamic", 5).build());
    assertEquals(List.of(4, 7), sums);
  }

  @Test
  void aSettingOfAnIndexHasNoValueOnTheNode() {
    bind(Settings.EMPTY);
    IllegalStateException refused = assertThrows(IllegalStateException.class, ofIndices::value);
    assertTrue(refused.getMessage().contains("[index.a]"), refused.getMessage());
    assertThrows(IllegalStateException.class, () -> ofIndices.follow(value -> {}));
    assertThrows(IllegalStateException.class, () -> Knob.follow(() -> {}, dynamic, ofIndices));
  }

  @Test
  void aSwitchIsAKnobOfItsOwn() {
    Switch enabled =
        new Switch(Setting.boolSetting("a.enabled", true, Property.NodeScope, Property.Dynamic));
    assertTrue(enabled.on());
    Settings node = Settings.builder().put("a.enabled", false).build();
    enabled.knob().bind(node, new ClusterSettings(node, Set.of(enabled.setting())));
    assertFalse(enabled.on());
  }
}
