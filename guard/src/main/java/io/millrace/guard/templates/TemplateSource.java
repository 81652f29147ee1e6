package io.millrace.guard.templates;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is known of a template before it runs: how much it writes each time that one of its sections
 * is entered, without the sections within.
 *
 * @param length of its source, characters
 * @param text characters of its own of the section that has most, or of what stands outside of
 *     sections
 * @param dots how often the section that does so most writes the value that it was entered for
 *     ({@code {{.}}}), without asking for it
 * @param sections names that a section is entered for, the parts of a name with dots by themselves
 */
record TemplateSource(int length, int text, int dots, Set<String> sections) {
  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";

  /** A section while it is read. */
  private static final class Section {
    private int text;
    private int dots;
  }

  /** Reads a source that its engine has accepted. */
  static TemplateSource of(String source) {
    // other delimiters than braces: as if all of it were text, and every dot a value
    return source.contains("{{=")
        ? new TemplateSource(
            source.length(),
            source.length(),
            (int) source.chars().filter(c -> c == '.').count(),
            Set.of())
        : read(source);
  }

  private static TemplateSource read(String source) {
    Set<String> names = new HashSet<>();
    Deque<Section> inside = new ArrayDeque<>();
    // an inverted section is entered at most once for each time that the one around it is: its
    // text counts there
    Deque<Section> all = new ArrayDeque<>();
    Section now = new Section();
    all.add(now);
    int at = 0;
    while (at < source.length()) {
      int open = source.indexOf(OPEN, at);
      int close = open < 0 ? -1 : source.indexOf(CLOSE, open + OPEN.length());
      if (close < 0) {
        now.text += source.length() - at;
        break;
      }
      now.text += open - at;
      String tag = source.substring(open + OPEN.length(), close).strip();
      at = close + CLOSE.length();
      char kind = tag.isEmpty() ? '!' : tag.charAt(0);
      if (kind == '#') {
        names.addAll(parts(tag));
        inside.push(now);
        now = new Section();
        all.add(now);
      } else if (kind == '^') {
        inside.push(now);
      } else if (kind == '/' && !inside.isEmpty()) {
        now = inside.pop();
      } else if (kind == '{') {
        now.dots += tag.substring(1).strip().equals(".") ? 1 : 0;
        at += at < source.length() && source.charAt(at) == '}' ? 1 : 0;
      } else if (kind == '&' ? tag.substring(1).strip().equals(".") : tag.equals(".")) {
        now.dots++;
      }
    }
    return new TemplateSource(
        source.length(),
        all.stream().mapToInt(section -> section.text).max().orElse(0),
        all.stream().mapToInt(section -> section.dots).max().orElse(0),
        Set.copyOf(names));
  }

  private static List<String> parts(String tag) {
    return List.of(tag.substring(1).strip().split("\\."));
  }
}
