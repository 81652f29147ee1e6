package io.millrace.pipelines.intake;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;

/**
 * The index that a record goes into: a name in which {@code {day}} stands for the record's day in
 * UTC, as {@code 2026.11.22}.
 *
 * <p>The day is the record's own while that is within a day of now, so that a batch that is sent
 * again after midnight finds what it wrote before. Any other time gives the day of arrival: a clock
 * that is wrong must not make an index for each of its days.
 */
public final class IndexName {
  private static final String DAY = "{day}";
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("uuuu.MM.dd", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final String before;
  private final String after;
  private final boolean daily;

  /** The name of the day that was asked for last; most records are of one day. */
  private volatile Named last = new Named(Long.MIN_VALUE, "");

  private record Named(long day, String name) {}

  private IndexName(String name) {
    int at = name.indexOf(DAY);
    daily = at >= 0;
    before = daily ? name.substring(0, at) : name;
    after = daily ? name.substring(at + DAY.length()) : "";
  }

  /** A dynamic setting of the node that holds such a name. */
  public static Setting<IndexName> setting(String key, String byDefault) {
    return new Setting<>(
        key, byDefault, name -> parse(key, name), Property.NodeScope, Property.Dynamic);
  }

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException naming the setting and what is wrong
   */
  static IndexName parse(String key, String name) {
    IndexName parsed = new IndexName(name);
    String fixed = parsed.before + parsed.after;
    String wrong =
        fixed.isEmpty()
            ? "has nothing beside the day"
            : !fixed.equals(fixed.toLowerCase(Locale.ROOT))
                ? "has capital letters"
                : fixed.matches(".*[\\\\/*?\"<>| ,#:{}].*")
                    ? "has a character that no index may have"
                    : name.matches("[-_+.].*") ? "begins with [-], [_], [+] or [.]" : null;
    if (wrong != null) {
      throw new IllegalArgumentException(
          "["
              + key
              + "] is ["
              + name
              + "], which "
              + wrong
              + "; give the name of an index, an alias or a data stream, such as"
              + " [logs-otel-{day}]");
    }
    return parsed;
  }

  /**
   * The name for a record.
   *
   * @param millis the record's time
   * @param now the time of arrival, both since the epoch
   */
  public String of(long millis, long now) {
    if (!daily) {
      return before;
    }
    long day = TimeValue.timeValueDays(1).millis();
    long shown = millis > now - day && millis < now + day ? millis : now;
    long wanted = Math.floorDiv(shown, day);
    Named named = last;
    if (named.day != wanted) {
      named = new Named(wanted, before + FORMAT.format(Instant.ofEpochMilli(shown)) + after);
      last = named;
    }
    return named.name;
  }

  @Override
  public String toString() {
    return before + (daily ? DAY : "") + after;
  }
}
