package io.millrace.cli.ingest;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A size as OpenSearch writes it: {@code 512b}, {@code 64kb}, {@code 5mb}; steps of 1024.
 *
 * @param bytes the size
 */
record ByteSize(long bytes) {
  private static final Pattern SHAPE = Pattern.compile("(\\d{1,9})\\s*(b|k|kb|m|mb|g|gb)?");

  /**
   * @throws IllegalArgumentException naming the value
   */
  static ByteSize of(String text) {
    Matcher match = SHAPE.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!match.matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a size; e.g. 512kb, 5mb");
    }
    String unit = match.group(2) == null ? "b" : match.group(2);
    int shift =
        unit.startsWith("k") ? 10 : unit.startsWith("m") ? 20 : unit.startsWith("g") ? 30 : 0;
    return new ByteSize(Long.parseLong(match.group(1)) << shift);
  }

  @Override
  public String toString() {
    if (bytes % (1 << 20) == 0) {
      return (bytes >> 20) + "mb";
    }
    return bytes % 1024 == 0 ? (bytes >> 10) + "kb" : bytes + "b";
  }

  /** For the command line. */
  static final class Converter implements ITypeConverter<ByteSize> {
    @Override
    public ByteSize convert(String value) {
      try {
        return of(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
