package io.millrace.write.loganalyzer;

import java.util.Arrays;
import java.util.Locale;

/** Which words of more than one part also get a token for the whole word. */
public enum WholeTokens {
  /** Every word. */
  ALL,
  /** Only words without a digit: class names, modules, paths; not addresses, ids and times. */
  WORDS,
  /** None: the stream is flat, which is what phrases want. */
  NONE;

  /**
   * Reads a setting.
   *
   * @throws IllegalArgumentException naming the accepted values
   */
  public static WholeTokens parse(String value) {
    try {
      return valueOf(value.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "[whole] of tokenizer [millrace_log] is ["
              + value
              + "]; use one of "
              + Arrays.stream(values()).map(v -> v.name().toLowerCase(Locale.ROOT)).toList());
    }
  }
}
