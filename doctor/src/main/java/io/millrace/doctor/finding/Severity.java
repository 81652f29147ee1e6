package io.millrace.doctor.finding;

import java.util.Locale;

/** How much a finding asks for attention, from least to most. */
public enum Severity {
  /** Worth knowing; nothing has to be done. */
  INFO("note"),
  /** Costs speed, memory or safety now, or will when the load grows. */
  WARN("warning"),
  /** Data or availability is in danger now. */
  ERROR("error");

  private final String sarif;

  Severity(String sarif) {
    this.sarif = sarif;
  }

  /** The level of a SARIF 2.1.0 result ({@code note}, {@code warning}, {@code error}). */
  public String sarif() {
    return sarif;
  }

  /** As users write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException naming the value and what may stand there
   */
  public static Severity parse(String text) {
    for (Severity severity : values()) {
      if (severity.text().equals(text.toLowerCase(Locale.ROOT))) {
        return severity;
      }
    }
    throw new IllegalArgumentException("severity is info, warn or error, not [" + text + "]");
  }
}
