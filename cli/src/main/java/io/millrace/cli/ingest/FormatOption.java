package io.millrace.cli.ingest;

import io.millrace.cli.ingest.lines.FormatCatalog;
import io.millrace.cli.ingest.lines.FormatDefinition;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What {@code --format} says: a kind of input, the name of a known format, or a file or folder of
 * formats.
 *
 * @param formats what plain lines are matched against, in this order
 * @param forced whether one known format was named
 */
record FormatOption(Format format, List<FormatDefinition> formats, boolean forced) {
  /**
   * Reads the option.
   *
   * @throws ExpectedFailure when it is none of these
   */
  static FormatOption of(String value) {
    for (Format kind : Format.values()) {
      if (kind != Format.MIXED && kind.name().equals(value.toUpperCase(Locale.ROOT))) {
        return new FormatOption(kind, FormatCatalog.builtIn(), false);
      }
    }
    List<FormatDefinition> known = FormatCatalog.builtIn();
    List<FormatDefinition> named = known.stream().filter(f -> f.name().equals(value)).toList();
    if (!named.isEmpty()) {
      return new FormatOption(Format.AUTO, named, true);
    }
    Path path = Path.of(value);
    if (!Files.exists(path)) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "--format " + value + " is no kind of input, no known format and no file",
          "Give AUTO, NDJSON, BULK or LINES, a file, a folder, or one of: "
              + String.join(" ", known.stream().map(FormatDefinition::name).toList()));
    }
    List<FormatDefinition> all = new ArrayList<>(FormatCatalog.of(path));
    all.addAll(known);
    return new FormatOption(Format.AUTO, all, false);
  }
}
