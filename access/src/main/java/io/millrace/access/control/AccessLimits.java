package io.millrace.access.control;

import io.millrace.kernel.settings.Knob;
import java.util.List;
import java.util.Locale;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;

/** The settings of access beside its switch. */
final class AccessLimits {
  private static final String PREFIX = "millrace.access.";

  /** The name of {@link #unprotected}. */
  static final String UNPROTECTED = PREFIX + "unprotected";

  /** What a node does that others can reach and that asks nobody who they are. */
  enum Unprotected {
    ALLOWED,
    REFUSED;

    static Unprotected parse(String text) {
      for (Unprotected each : values()) {
        if (each.text().equals(text)) {
          return each;
        }
      }
      throw new IllegalArgumentException(
          "[" + PREFIX + "unprotected] is [" + text + "]; give [allowed] or [refused]");
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  final Knob<String> unprotected =
      new Knob<>(
          new Setting<>(
              UNPROTECTED,
              Unprotected.ALLOWED.text(),
              text -> Unprotected.parse(text).text(),
              Property.NodeScope),
          "Whether a node without access control may bind an address that other machines reach:"
              + " `allowed` or `refused`. The distribution's `opensearch.yml` says `refused`.");

  final Knob<Boolean> audit =
      new Knob<>(
          Setting.boolSetting(PREFIX + "audit.enabled", true, Property.NodeScope, Property.Dynamic),
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
    return List.of(unprotected, audit, auditLines);
  }
}
