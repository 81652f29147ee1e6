package io.millrace.cli.ingest.lines;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of a format as it is written: a regular expression with named groups, and in it at most
 * one of {@code {time}}, {@code {clock}} and {@code {epoch}}.
 *
 * @param before the expression up to the time; null when the time comes first, or there is none
 * @param after the expression behind the time, or the whole
 * @param place which of the three there is; empty: none
 */
public record PatternSource(@Nullable Pattern before, Pattern after, String place) {
  private static final Pattern PLACE = Pattern.compile("\\{(time|clock|epoch)}");

  /**
   * Compiles a pattern.
   *
   * @throws PatternSyntaxException when it is no regular expression
   */
  static PatternSource of(String text) {
    Matcher found = PLACE.matcher(text);
    if (!found.find()) {
      return new PatternSource(null, compiled(text), "");
    }
    Pattern before = found.start() > 0 ? compiled(text.substring(0, found.start())) : null;
    return new PatternSource(before, compiled(text.substring(found.end())), found.group(1));
  }

  private static Pattern compiled(String text) {
    return Pattern.compile(text, Pattern.DOTALL);
  }
}
