package io.millrace.kernel.settings;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchParseException;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.MemorySizeValue;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.unit.ByteSizeValue;

/**
 * Settings whose refusals name the setting, the value and what may be given. Those that stock makes
 * of the same kinds leave the name out for booleans, shares of the heap, lists and some times, take
 * a size below zero, and take a number that is none (NaN). Stock's own say enough for whole numbers
 * and for sizes in bytes.
 */
public final class Checked {
  private Checked() {}

  /** {@code true} or {@code false}. */
  public static Setting<Boolean> flag(String key, boolean byDefault, Property... properties) {
    return new Setting<>(key, Boolean.toString(byDefault), text -> flag(key, text), properties);
  }

  /** {@code true} or {@code false}; where nothing is given, what another setting says. */
  public static Setting<Boolean> flag(
      String key, Setting<Boolean> otherwise, Property... properties) {
    return new Setting<>(key, otherwise, text -> flag(key, text), properties);
  }

  private static boolean flag(String key, String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(key, text, "give [true] or [false]");
    };
  }

  /**
   * Memory: bytes, or a share of the heap.
   *
   * @param byDefault as a user would write it
   * @param least the smallest size that makes sense
   */
  public static Setting<ByteSizeValue> memory(
      String key, String byDefault, ByteSizeValue least, Property... properties) {
    return new Setting<>(key, byDefault, text -> memory(key, byDefault, least, text), properties);
  }

  private static ByteSizeValue memory(
      String key, String byDefault, ByteSizeValue least, String text) {
    String remedy =
        "give bytes, such as [512mb], or a share of the heap from [0%] to [100%], such as ["
            + byDefault
            + "]";
    ByteSizeValue size;
    try {
      size = MemorySizeValue.parseBytesSizeValueOrHeapRatio(text, key);
    } catch (OpenSearchParseException | IllegalArgumentException e) {
      throw wrong(key, text, remedy);
    }
    if (size.compareTo(least) < 0) {
      throw wrong(key, text, remedy + ", at least [" + least + "]");
    }
    return size;
  }

  /** A number between two others, both allowed. */
  public static Setting<Double> number(
      String key, double byDefault, double least, double most, Property... properties) {
    return new Setting<>(
        key, Double.toString(byDefault), text -> number(key, least, most, text), properties);
  }

  private static double number(String key, double least, double most, String text) {
    double number;
    try {
      number = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      number = Double.NaN;
    }
    if (!(number >= least && number <= most)) {
      throw wrong(
          key, text, String.format(Locale.ROOT, "give a number from [%s] to [%s]", least, most));
    }
    return number;
  }

  /** A time, at least another one. */
  public static Setting<TimeValue> time(
      String key, TimeValue byDefault, TimeValue least, Property... properties) {
    return time(key, byDefault, least, null, properties);
  }

  /** A time between two others, both allowed. */
  public static Setting<TimeValue> time(
      String key,
      TimeValue byDefault,
      TimeValue least,
      @Nullable TimeValue most,
      Property... properties) {
    return new Setting<>(
        key, byDefault.getStringRep(), text -> time(key, least, most, text), properties);
  }

  private static TimeValue time(
      String key, TimeValue least, @Nullable TimeValue most, String text) {
    String remedy =
        "give a time such as [30s] or [5m], at least ["
            + least.getStringRep()
            + "]"
            + (most == null ? "" : " and at most [" + most.getStringRep() + "]");
    TimeValue time;
    try {
      time = TimeValue.parseTimeValue(text, key);
    } catch (IllegalArgumentException e) {
      throw wrong(key, text, remedy);
    }
    if (time.compareTo(least) < 0 || (most != null && time.compareTo(most) > 0)) {
      throw wrong(key, text, remedy);
    }
    return time;
  }

  /**
   * A list of lines, empty by default.
   *
   * @param line reads one; says what is wrong with it as an {@link IllegalArgumentException}
   */
  public static <T> Setting<List<T>> lines(
      String key, Function<String, T> line, Property... properties) {
    return Setting.listSetting(
        key,
        List.of(),
        text -> {
          try {
            return line.apply(text);
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                "[" + key + "] has the line [" + text + "]: " + e.getMessage(), e);
          }
        },
        properties);
  }

  private static IllegalArgumentException wrong(String key, String text, String remedy) {
    return new IllegalArgumentException("[" + key + "] is [" + text + "]; " + remedy);
  }
}
