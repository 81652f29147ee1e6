package io.millrace.bench.report;

import java.util.Locale;

/** Numbers as people read them. */
final class Figures {
  private Figures() {}

  /** Three significant digits, thousands separated. */
  static String of(double value) {
    double size = Math.abs(value);
    if (size == Math.rint(size) && size < 1e15) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (size >= 100) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (size >= 10) {
      return String.format(Locale.ROOT, "%.1f", value);
    }
    return String.format(Locale.ROOT, size >= 1 ? "%.2f" : "%.3f", value);
  }

  static String of(double value, String unit) {
    return unit.isEmpty() ? of(value) : of(value) + " " + unit;
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", share * 100);
  }

  static String bytes(double bytes) {
    if (bytes < 1024) {
      return of(bytes) + " B";
    }
    return bytes < 1 << 20 ? of(bytes / 1024) + " KiB" : of(bytes / (1 << 20)) + " MiB";
  }
}
