package io.millrace.cli.ingest.lines;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lines of columns whose names stand in a line of their own: CSV and its relatives with a header,
 * W3C logs (IIS, CloudFront) with {@code #Fields:}, Zeek with {@code #fields}. A line that names
 * columns, or says something about the file, is no document.
 */
final class Columns {
  /** W3C's names of what access logs of other servers have too. */
  private static final Map<String, String> W3C =
      Map.of(
          "c-ip", "client",
          "cs-method", "method",
          "sc-status", "status",
          "sc-bytes", "bytes",
          "s-computername", "host");

  private final char separator;
  private final boolean directives;
  private final String header;
  private List<String> names = List.of();
  private int date = -1;
  private int time = -1;
  private int level = -1;
  private int message = -1;
  private int host = -1;
  private int[] starts = new int[32];
  private int[] ends = new int[32];
  private int cells;
  private boolean doubled;
  private boolean local;

  private Columns(char separator, boolean directives, String header, @Nullable String timeField) {
    this.separator = separator;
    this.directives = directives;
    this.header = header;
    this.timeField = timeField;
  }

  private final @Nullable String timeField;

  /** The columns that these first lines of a file have, or null. */
  static @Nullable Columns of(
      List<String> lines, TimeScanner scanner, TimeFormats formats, @Nullable String timeField) {
    for (int i = 0; i < Math.min(lines.size(), 40); i++) {
      String line = lines.get(i);
      if (line.startsWith("#Fields:") || line.startsWith("#fields\t")) {
        Columns columns = new Columns(separator(line, lines), true, line, timeField);
        lines.forEach(columns::directive);
        return columns;
      }
    }
    for (int i = 0; i + 1 < Math.min(lines.size(), 40); i++) {
      for (char separator : new char[] {',', '\t', ';', '|'}) {
        Columns columns = new Columns(separator, false, lines.get(i), timeField);
        if (columns.header(lines.get(i))
            && !scanner.scan(lines.get(i), 0)
            && columns.fits(lines.subList(i + 1, lines.size()), scanner, formats)) {
          return columns;
        }
      }
    }
    return null;
  }

  /** What stands between cells: Zeek's tabs; in W3C logs what the first line below has. */
  private static char separator(String fields, List<String> lines) {
    if (fields.startsWith("#fields\t")) {
      return '\t';
    }
    String names = fields.substring(8).strip();
    if (names.indexOf(',') > 0 && names.indexOf(' ') < 0) {
      return ',';
    }
    for (String line : lines) {
      if (!line.startsWith("#")) {
        return line.indexOf('\t') > 0 ? '\t' : ' ';
      }
    }
    return ' ';
  }

  String describe() {
    return (directives ? "columns named by " : "columns under the header ") + header;
  }

  private boolean header(String line) {
    split(line);
    if (cells < 2) {
      return false;
    }
    List<String> found = new ArrayList<>();
    for (int i = 0; i < cells; i++) {
      String cell = cell(line, i).strip();
      if (!isName(cell) || found.contains(cell)) {
        return false;
      }
      found.add(cell);
    }
    names(found);
    return true;
  }

  /** Whether a cell can be the name of a column: a few words without the marks of a sentence. */
  private static boolean isName(String cell) {
    if (cell.isEmpty()
        || cell.length() > 48
        || "@_#".indexOf(cell.charAt(0)) < 0 && !Character.isLetter(cell.charAt(0))) {
      return false;
    }
    int words = 1;
    for (int i = 0; i < cell.length(); i++) {
      char c = cell.charAt(i);
      words += c == ' ' ? 1 : 0;
      if (!Character.isLetterOrDigit(c) && " _-./()@#%$".indexOf(c) < 0) {
        return false;
      }
    }
    return words <= 4;
  }

  private void names(List<String> found) {
    names = found;
    date = -1;
    time = -1;
    level = best(KnownNames.Role.LEVEL);
    message = best(KnownNames.Role.MESSAGE);
    host = best(KnownNames.Role.HOST);
    for (int i = 0; i < found.size(); i++) {
      String lower = found.get(i).toLowerCase(Locale.ROOT);
      if (lower.equals("date")) {
        date = i;
      } else if (lower.equals("time")) {
        time = i;
      }
    }
    if (timeField != null && found.contains(timeField)) {
      time = found.indexOf(timeField);
      date = -1;
    } else if (date < 0 || time < 0) {
      time = best(KnownNames.Role.TIME);
      date = -1;
    }
  }

  private int best(KnownNames.Role role) {
    int best = -1;
    int rank = KnownNames.UNKNOWN;
    for (int i = 0; i < names.size(); i++) {
      int other = KnownNames.rank(role, names.get(i));
      if (other < rank) {
        rank = other;
        best = i;
      }
    }
    return best;
  }

  /** Whether most lines have as many cells as the header, and a time where it says. */
  private boolean fits(List<String> lines, TimeScanner scanner, TimeFormats formats) {
    int rows = Math.min(lines.size(), 20);
    if (time < 0) {
      time = timeColumn(lines.get(0), scanner, formats);
    }
    ParsedLine out = new ParsedLine();
    int good = 0;
    for (int i = 0; i < rows && time >= 0; i++) {
      out.reset(lines.get(i));
      good += parse(out, scanner, formats) && out.timed() ? 1 : 0;
    }
    return good > 0 && good * 10 >= rows * 8;
  }

  private int timeColumn(String line, TimeScanner scanner, TimeFormats formats) {
    split(line);
    ParsedLine out = new ParsedLine();
    out.reset(line);
    for (int i = 0; i < Math.min(cells, names.size()); i++) {
      String cell = cell(line, i);
      boolean epoch = Text.digits(cell, 0) == cell.length() && cell.length() < 14;
      boolean named = epoch && KnownNames.timeRank(names.get(i)) != KnownNames.UNKNOWN;
      if (named && scanner.scanEpoch(cell, 0) && scanner.end() == cell.length()) {
        return i;
      }
      if (cell.length() > 7 && !epoch && formats.read(out, cell, scanner)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether a line is no document: it names columns, or says something about the file. */
  boolean isHeader(String line) {
    if (directives && line.startsWith("#")) {
      directive(line);
      return true;
    }
    return line.equals(header);
  }

  private void directive(String line) {
    if (line.startsWith("#Fields:") || line.startsWith("#fields\t")) {
      String list = line.substring(8).strip();
      names(List.of(list.split(line.startsWith("#fields") ? "\t" : "[\\s,]+")));
    }
    local |= line.equalsIgnoreCase("#Time Format: Local");
  }

  /** Whether times are UTC whatever the zone of the reader: W3C says so, unless the file does. */
  boolean inUtc() {
    return directives && !local;
  }

  /** Whether a cell goes on in the next line: its quote is open. */
  boolean isOpen(String line) {
    int quotes = 0;
    for (int i = line.indexOf('"'); i >= 0 && !directives; i = line.indexOf('"', i + 1)) {
      quotes++;
    }
    return quotes % 2 == 1;
  }

  /** Takes a line apart; false when it has another number of columns. */
  boolean parse(ParsedLine out, TimeScanner scanner, TimeFormats formats) {
    String s = out.line();
    split(s);
    if (cells < 2
        || cells != names.size()
            && (directives || cells > names.size() || cells * 2 < names.size())) {
      return false;
    }
    boolean known = time >= 0 && time < cells && date < cells && readTime(out, s, scanner, formats);
    for (int i = 0; i < cells; i++) {
      if (i == message
          || starts[i] == ends[i]
          || ends[i] - starts[i] == 1 && s.charAt(starts[i]) == '-') {
        continue;
      }
      if (known && (i == time && placed || i == date)) {
        continue;
      }
      if (i == level && setLevel(out, s)) {
        continue;
      }
      String name =
          i == host
              ? "host"
              : directives ? W3C.getOrDefault(names.get(i), names.get(i)) : names.get(i);
      span(out, s, ParsedLine.ownName(name), i);
    }
    if (message >= 0
        && message < cells
        && cell(s, message).length() == ends[message] - starts[message]) {
      out.message(starts[message], ends[message]);
    }
    return true;
  }

  private boolean placed;

  private boolean setLevel(ParsedLine out, String s) {
    String word = Level.ofValue(names.get(level), cell(s, level).strip());
    out.level(word);
    return word != null;
  }

  private void span(ParsedLine out, String s, String name, int cell) {
    String value = cell(s, cell);
    if (value.length() == ends[cell] - starts[cell]) {
      out.span(name, starts[cell], ends[cell]);
    } else {
      out.value(name, value);
      out.inexact();
    }
  }

  private boolean readTime(ParsedLine out, String s, TimeScanner scanner, TimeFormats formats) {
    placed = false;
    if (date >= 0) {
      boolean read = formats.read(out, cell(s, date) + ' ' + cell(s, time), scanner);
      if (read && message >= 0) {
        out.span("date", starts[date], ends[date]);
        out.span("time", starts[time], ends[time]);
      }
      placed = read;
      return read;
    }
    if (formats.isEmpty() && scanner.scan(s, starts[time]) && scanner.end() == ends[time]) {
      out.time(scanner, starts[time]);
      placed = true;
      return true;
    }
    String cell = cell(s, time).strip();
    if (scanner.scanEpoch(cell, 0) && scanner.end() == cell.length()) {
      out.time(scanner);
      return true;
    }
    return formats.read(out, cell, scanner);
  }

  private String cell(String s, int i) {
    String text = s.substring(starts[i], ends[i]);
    return doubled ? text.replace("\"\"", "\"") : text;
  }

  private void split(String s) {
    cells = 0;
    doubled = false;
    int at = 0;
    while (at <= s.length()) {
      boolean quoted = separator != ' ' && at < s.length() && s.charAt(at) == '"';
      int from = quoted ? at + 1 : at;
      int end = from;
      if (quoted) {
        while (end < s.length() && (s.charAt(end) != '"' || pair(s, end))) {
          doubled |= s.charAt(end) == '"';
          end += s.charAt(end) == '"' ? 2 : 1;
        }
        end = Math.min(end, s.length());
      } else {
        end = s.indexOf(separator, from);
        end = end < 0 ? s.length() : end;
      }
      if (cells == starts.length) {
        starts = java.util.Arrays.copyOf(starts, cells * 2);
        ends = java.util.Arrays.copyOf(ends, cells * 2);
      }
      starts[cells] = from;
      ends[cells++] = end;
      int next = s.indexOf(separator, end);
      if (next < 0) {
        return;
      }
      at = next + 1;
    }
  }

  private static boolean pair(String s, int at) {
    return at + 1 < s.length() && s.charAt(at + 1) == '"';
  }
}
