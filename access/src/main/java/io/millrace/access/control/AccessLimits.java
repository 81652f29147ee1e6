package io.millrace.access.control;

import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import java.util.List;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;

/** The settings of access beside its switch. */
final class AccessLimits {
  private static final String PREFIX = "millrace.access.";

  final Knob<Boolean> audit =
      new Knob<>(
          Checked.flag(PREFIX + "audit.enabled", true, Property.NodeScope, Property.Dynamic),
          "Whether failed log-ins, refusals and changes of users, roles and keys are written to the"
              + " audit log.");

  final Knob<Integer> auditLines =
      new Knob<>(
          Setting.intSetting(
              PREFIX + "audit.lines_per_second",
              100,
              1,
              100_000,
              Property.NodeScope,
              Property.Dynamic),
          "Lines of the audit log that a node writes in a second at most; the others are counted.");

  List<Knob<?>> knobs() {
    return List.of(audit, auditLines);
  }
}
