package io.millrace.pipelines.sourcecontrol;

import java.util.Locale;
import java.util.random.RandomGenerator;
import org.opensearch.OpenSearchException;
import org.opensearch.common.regex.Regex;
import org.opensearch.core.common.unit.ByteSizeValue;

/**
 * What some sources may write in a day, as a line of the setting says it: {@code logs-*
 * service=shop* sender=k:shipper* day=10gb then=sample}.
 *
 * @param text the line
 * @param index pattern of the names that documents are sent to
 * @param service pattern of services
 * @param sender pattern of keys and users, as {@link io.millrace.kernel.slot.Sender} writes them
 * @param day bytes of documents that all of these sources may send to a node in a day
 */
record Budget(String text, String index, String service, String sender, long day, Then then) {
  /** Lines of level info that stay of so many, once a budget is used up by {@code then=sample}. */
  static final int ONE_OF = 10;

  /** What happens to lines when the budget is used up. */
  enum Then {
    WARN,
    SAMPLE,
    DROP
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException naming the part that cannot be read
   */
  static Budget parse(String text) {
    String[] parts = text.trim().split("\\s+");
    if (parts[0].isEmpty() || parts[0].contains("=")) {
      throw wrong(parts[0], "begin with a pattern of index names");
    }
    String service = "*";
    String sender = "*";
    long day = -1;
    Then then = Then.WARN;
    for (int i = 1; i < parts.length; i++) {
      int at = parts[i].indexOf('=');
      String value = parts[i].substring(at + 1);
      try {
        switch (at < 0 ? "" : parts[i].substring(0, at)) {
          case "service" -> service = value;
          case "sender" -> sender = value;
          case "day" -> day = ByteSizeValue.parseBytesSizeValue(value, "day").getBytes();
          case "then" -> then = Then.valueOf(value.toUpperCase(Locale.ROOT));
          default -> throw wrong(parts[i], "use service, sender, day or then");
        }
      } catch (OpenSearchException e) {
        throw wrong(parts[i], String.valueOf(e.getMessage()));
      } catch (IllegalArgumentException e) {
        throw wrong(parts[i], "use warn, sample or drop for then, and a size for day");
      }
    }
    if (day <= 0) {
      throw wrong(text, "give day, a size above zero");
    }
    return new Budget(text, parts[0], service, sender, day, then);
  }

  private static IllegalArgumentException wrong(String part, String remedy) {
    return new IllegalArgumentException(
        "[" + part + "]: " + remedy + ", as in [logs-* service=shop* day=10gb then=sample]");
  }

  boolean of(SourceLedger.Source source) {
    return Regex.simpleMatch(index, source.index())
        && Regex.simpleMatch(service, source.service())
        && Regex.simpleMatch(sender, source.sender());
  }

  /**
   * Whether a line may be written.
   *
   * @param used bytes of today before this line
   */
  boolean admits(long used, SeverityStep level, RandomGenerator random) {
    return switch (then) {
      case WARN -> true;
      case SAMPLE ->
          used < day
              || level == SeverityStep.WARN_AND_ABOVE
              || (level != SeverityStep.DEBUG && random.nextInt(ONE_OF) == 0);
      case DROP -> used < day && (level != SeverityStep.DEBUG || used < day / 10 * 8);
    };
  }
}
