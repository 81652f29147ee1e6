package io.millrace.corpus;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Multiplies a folder of real log lines: each document takes a line at random and, in seven of ten
 * cases, gives every run of three to seventeen digits fresh digits, so that terms repeat as in life
 * while ids and sizes vary.
 *
 * <p>The service is the file's name up to the first {@code _} or {@code .}. Invalid UTF-8 is
 * replaced. Lines over 64 KiB are cut. At most {@code maxBytes} of lines are held, an equal share
 * from the beginning of each file.
 */
public final class RealLines implements DocumentSource {
  /** Bytes of lines held in memory when the caller names no other bound. */
  public static final long DEFAULT_MAX_BYTES = 128L << 20;

  private static final int MAX_LINE = 64 << 10;

  private record Line(byte[] service, byte[] escaped) {}

  private final Prng random;
  private final Envelope envelope;
  private final Vocabulary words;
  private final Line[] lines;
  private final LogGenerator.Document document = new LogGenerator.Document();

  /**
   * Reads the folder's {@code *.log} files in the order of their names.
   *
   * @throws IOException when the folder cannot be read or holds no line; the message names it
   */
  public RealLines(long seed, LogGenerator.Options options, Path folder, long maxBytes)
      throws IOException {
    random = new Prng(seed);
    envelope = new Envelope(random, options);
    words = new Vocabulary(seed, options);
    lines = read(folder, maxBytes).toArray(Line[]::new);
    if (lines.length == 0) {
      throw new IOException("corpus folder " + folder + " holds no *.log file with a line in it");
    }
  }

  /** Number of real lines that are multiplied. */
  public int distinctLines() {
    return lines.length;
  }

  private static List<Line> read(Path folder, long maxBytes) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new NotDirectoryException("corpus " + folder + " is not a folder");
    }
    List<Path> files;
    try (Stream<Path> entries = Files.list(folder)) {
      files =
          entries
              .filter(f -> f.getFileName().toString().endsWith(".log") && Files.isRegularFile(f))
              .sorted((a, b) -> a.getFileName().toString().compareTo(b.getFileName().toString()))
              .toList();
    }
    List<Line> lines = new ArrayList<>();
    for (Path file : files) {
      String name = file.getFileName().toString().split("[_.]", 2)[0].toLowerCase(Locale.ROOT);
      byte[] service = new JsonBuffer().escaped(name).toByteArray();
      readFile(file, service, maxBytes / files.size(), lines);
    }
    return lines;
  }

  private static void readFile(Path file, byte[] service, long maxBytes, List<Line> lines)
      throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      long held = 0;
      int b;
      while (held < maxBytes && (b = in.read()) >= 0) {
        if (b == '\n') {
          held += line.size();
          add(line, service, lines);
        } else if (line.size() < MAX_LINE) {
          line.write(b);
        }
      }
      add(line, service, lines);
    }
  }

  private static void add(ByteArrayOutputStream line, byte[] service, List<Line> lines) {
    String text = line.toString(StandardCharsets.UTF_8).strip();
    line.reset();
    if (!text.isEmpty()) {
      lines.add(new Line(service, new JsonBuffer().escaped(text).toByteArray()));
    }
  }

  @Override
  public void next(JsonBuffer out) {
    Line line = lines[random.below(lines.length)];
    envelope.draw(document);
    byte[] level = envelope.level().getBytes(StandardCharsets.US_ASCII);
    envelope.open(out, document, words.host(random), line.service, level);
    int start = out.size();
    out.raw(line.escaped);
    freshDigits(out.array(), start, out.size());
    out.raw('"').raw('}');
  }

  /** Skips {@code \\uXXXX} escapes: their digits are not the line's. */
  private void freshDigits(byte[] text, int from, int to) {
    int at = from;
    while (at < to) {
      if (text[at] == '\\') {
        at += text[at + 1] == 'u' ? 6 : 2;
        continue;
      }
      int end = at;
      while (end < to && text[end] >= '0' && text[end] <= '9') {
        end++;
      }
      int digits = end - at;
      if (digits >= 3 && digits < 18 && random.percent(70)) {
        text[at] = (byte) ('1' + random.below(9));
        for (int i = at + 1; i < end; i++) {
          text[i] = (byte) ('0' + random.below(10));
        }
      }
      at = Math.max(end, at + 1);
    }
  }
}
