package io.millrace.cli.ingest.lines;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * One pattern of a format: a regular expression with named groups, and in it at most one of {@code
 * {time}}, {@code {clock}} and {@code {epoch}}, where {@link TimeScanner} reads. So no pattern
 * spells a time, and the expression runs over the rest of the line only.
 *
 * <p>A pattern that backtracks without end gives up after {@link #MOST_STEPS} characters looked at:
 * the line then counts as one that does not match.
 */
final class FormatPattern {
  private static final int MOST_STEPS = 2_000_000;
  private static final Set<String> OWN = Set.of("message", "level", "time");

  private final @Nullable Matcher before;
  private final Matcher after;
  private final String place;
  private final String[] groups;
  private final int[] numbers;
  private final boolean[] early;
  private final TimeFormats formats;
  private final Map<String, String> levels;
  private final Steps steps = new Steps();

  /**
   * @param levels levels by the words of this format, for words that {@link Level} does not know
   */
  FormatPattern(PatternSource source, TimeFormats formats, Map<String, String> levels) {
    before = source.before() == null ? null : source.before().matcher("");
    after = source.after().matcher("");
    place = source.place();
    this.formats = formats;
    this.levels = levels;
    Map<String, Integer> late = source.after().namedGroups();
    Map<String, Integer> soon = source.before() == null ? Map.of() : source.before().namedGroups();
    groups = new String[late.size() + soon.size()];
    numbers = new int[groups.length];
    early = new boolean[groups.length];
    int i = 0;
    for (Map<String, Integer> side : List.of(soon, late)) {
      // by their place: a map of groups has another order in each JVM
      for (Map.Entry<String, Integer> group :
          side.entrySet().stream().sorted(Map.Entry.comparingByValue()).toList()) {
        groups[i] = group.getKey();
        numbers[i] = group.getValue();
        early[i++] = side == soon;
      }
    }
  }

  /** The line, and how many of its characters may still be looked at. */
  private static final class Steps implements CharSequence {
    private String text = "";
    private int left;

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (--left < 0) {
        throw new TooManySteps();
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static final class TooManySteps extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManySteps() {
      super("", null, false, false);
    }
  }

  /** Takes the line apart; false, and the line as before, when it does not match. */
  boolean parse(ParsedLine out, TimeScanner time) {
    steps.text = out.line();
    steps.left = MOST_STEPS;
    try {
      return match(out, time);
    } catch (TooManySteps e) {
      return false;
    }
  }

  private boolean match(ParsedLine out, TimeScanner time) {
    int from = 0;
    if (before != null) {
      if (!before.reset(steps).lookingAt()) {
        return false;
      }
      from = before.end();
    }
    int end = from;
    if (!place.isEmpty()) {
      if (!scan(out.line(), from, time)) {
        return false;
      }
      end = time.end();
    }
    after.reset(steps).region(end, steps.length());
    if (!after.matches()) {
      return false;
    }
    boolean taken = take(out);
    if (!place.isEmpty()) {
      if (taken) {
        out.time(time, from);
      } else {
        out.time(time);
      }
    }
    return out.timed() || !hasTime() || namedTime(out, time, taken);
  }

  private boolean scan(String line, int from, TimeScanner time) {
    return switch (place) {
      case "clock" -> time.scanClock(line, from);
      case "epoch" -> time.scanEpoch(line, from);
      default -> time.scan(line, from);
    };
  }

  private boolean hasTime() {
    for (String group : groups) {
      if (group.equals("time")) {
        return true;
      }
    }
    return false;
  }

  /** Puts the groups into fields; true when the message is a part of the line. */
  private boolean take(ParsedLine out) {
    boolean message = false;
    for (int i = 0; i < groups.length; i++) {
      Matcher side = early[i] && before != null ? before : after;
      int from = side.start(numbers[i]);
      if (from < 0) {
        continue;
      }
      int to = side.end(numbers[i]);
      switch (groups[i]) {
        case "message" -> {
          out.message(from, to);
          message = true;
        }
        case "level" -> level(out, out.line().substring(from, to));
        case "time" -> {}
        default -> {
          if (to - from != 1 || out.line().charAt(from) != '-') {
            out.span(groups[i], from, to);
          }
        }
      }
    }
    return message;
  }

  private boolean namedTime(ParsedLine out, TimeScanner time, boolean taken) {
    for (int i = 0; i < groups.length; i++) {
      Matcher side = early[i] && before != null ? before : after;
      int from = groups[i].equals("time") ? side.start(numbers[i]) : -1;
      if (from >= 0) {
        if (formats.read(out, out.line().substring(from, side.end(numbers[i])), time)) {
          if (taken) {
            out.inexact();
          }
          return true;
        }
        return false;
      }
    }
    return true;
  }

  private void level(ParsedLine out, String word) {
    String level = levels.get(word);
    if (level == null) {
      level = word.length() == 1 ? Level.ofLetter(word.charAt(0)) : Level.of(word.strip());
    }
    out.level(level);
  }

  /** How much a match says: formats that take more out of a line are preferred. */
  int weight() {
    int own = 0;
    for (String group : groups) {
      own += OWN.contains(group) ? 0 : 1;
    }
    return groups.length + own;
  }
}
