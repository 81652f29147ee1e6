package io.millrace.guard.lanes;

import java.util.Set;

/**
 * What two searches have in common that cost about the same: the structure of the request, its
 * fields, intervals and scripts, and the magnitude of its numbers, lists and texts, but not the
 * words and times that are searched for.
 *
 * <p>One pass over the text.
 */
final class Shape {
  /** Keys whose words decide what a search costs. */
  private static final Set<String> KEPT =
      Set.of(
          "field",
          "path",
          "type",
          "lang",
          "source",
          "interval",
          "fixed_interval",
          "calendar_interval",
          "execution_hint",
          "collect_mode");

  private final String text;
  private long hash;
  private int at;

  /** Of a plain value in a list; a run of alike values counts once, by its magnitude. */
  private long lastValue;

  private int alike;

  private Shape(String text) {
    this.text = text;
  }

  /**
   * A number that is the same for requests of one shape, wherever they search.
   *
   * @param source the request as JSON; empty for a search that says nothing
   */
  static long of(String source) {
    Shape shape = new Shape(source);
    shape.read();
    return shape.hash;
  }

  /**
   * A number that is the same for searches of one shape.
   *
   * @param index where it searches; digits make no difference, so that the indices of two days are
   *     alike
   * @param action the phase
   * @param source the shape of the request
   */
  static long of(String index, String action, long source) {
    return mixed(mixed(source, action.hashCode()), words(index, 0, index.length()));
  }

  private void read() {
    boolean kept = false;
    boolean ignored = false;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"') {
        int begin = at + 1;
        int end = endOfString(begin);
        at = end + 1;
        if (at < text.length() && text.charAt(at) == ':') {
          endOfRun();
          String key = text.substring(begin, end);
          kept = KEPT.contains(key);
          ignored = key.equals("timeout");
          if (!ignored) {
            mix(key.hashCode());
          }
        } else if (ignored) {
          ignored = false; // how long a client waits says nothing about the work
        } else if (kept) {
          mix(words(text, begin, end));
        } else {
          value(1_000 + magnitude(end - begin));
        }
      } else if (c == '-' || (c >= '0' && c <= '9')) {
        int begin = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
          at++;
        }
        value(2_000 + at - begin);
      } else {
        if (c != ',' && c != ':' && c > ' ') {
          endOfRun();
          mix(c);
        }
        at++;
      }
    }
    endOfRun();
  }

  private int endOfString(int begin) {
    int end = begin;
    while (end < text.length() && text.charAt(end) != '"') {
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    return Math.min(end, text.length());
  }

  private void value(long kind) {
    if (alike > 0 && lastValue != kind) {
      endOfRun();
    }
    lastValue = kind;
    alike++;
  }

  private void endOfRun() {
    if (alike > 0) {
      mix(lastValue);
      mix(magnitude(alike));
      alike = 0;
    }
  }

  private static int magnitude(int size) {
    return 32 - Integer.numberOfLeadingZeros(size);
  }

  private static long words(String text, int begin, int end) {
    long hash = 7;
    for (int i = begin; i < end; i++) {
      char c = text.charAt(i);
      hash = 31 * hash + (c >= '0' && c <= '9' ? '0' : c);
    }
    return hash;
  }

  private void mix(long value) {
    hash = mixed(hash, value);
  }

  private static long mixed(long hash, long value) {
    long mixed = (hash ^ value) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 29);
  }
}
