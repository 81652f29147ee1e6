package io.millrace.doctor.top;

import java.util.Locale;

/** What indices are sorted by; the key is the first letter. */
public enum TopOrder {
  WRITES,
  SEARCHES,
  DISK,
  FRESHNESS;

  /** As users write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The key that chooses it. */
  public char key() {
    return text().charAt(0);
  }
}
