package io.millrace.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Log documents that look like production's: about forty message shapes (web access, application
 * servers with stack traces, Kubernetes, databases, authentication, block storage, networks,
 * garbage collection) over Zipfian hosts, users, paths and dotted names, in an envelope of ten
 * fields.
 *
 * <p>Why a generator of our own: a benchmark or a test must be repeatable by anyone, on data nobody
 * has to download. The fields and their distributions follow the documents that the design's
 * measurements used (mean about 355 bytes); the message text is our own.
 *
 * <p>The same seed and options give the same bytes on every JDK, locale and zone: only integer
 * arithmetic, {@link StrictMath} for tables, no formatter.
 */
public final class LogGenerator implements DocumentSource {
  /**
   * What can be varied.
   *
   * @param startMillis time of the first document, milliseconds since 1970 UTC
   * @param meanGapMillis mean distance of two documents, milliseconds; the jitter is uniform
   *     between 0 and twice this
   * @param hosts number of distinct hosts, at least 1
   * @param users number of distinct users, at least 1
   */
  public record Options(long startMillis, int meanGapMillis, int hosts, int users) {
    public Options {
      if (hosts < 1 || users < 1 || meanGapMillis < 0) {
        throw new IllegalArgumentException(
            "hosts and users must be at least 1 and meanGapMillis at least 0, were "
                + hosts
                + ", "
                + users
                + ", "
                + meanGapMillis);
      }
    }

    /** 2023-11-14T22:13:20Z on, 20 ms apart, 200 hosts, 5,000 users. */
    public static Options defaults() {
      return new Options(1_700_000_000_000L, 20, 200, 5_000);
    }

    public Options startingAt(long millis) {
      return new Options(millis, meanGapMillis, hosts, users);
    }

    public Options withMeanGapMillis(int millis) {
      return new Options(startMillis, millis, hosts, users);
    }
  }

  /** The numbers of the document being written; a message may repeat them. */
  static final class Document {
    long millis;
    int status;
    int latencyMicros;
    long bytes;
  }

  private final Prng random;
  private final Envelope envelope;
  private final Vocabulary words;
  private final Template[] byWeight;
  private final byte[][] services;
  private final byte[][] levels;
  private final Document document = new Document();

  public LogGenerator(long seed) {
    this(seed, Options.defaults());
  }

  public LogGenerator(long seed, Options options) {
    random = new Prng(seed);
    envelope = new Envelope(random, options);
    words = new Vocabulary(seed, options);
    List<Template> slots = new ArrayList<>();
    for (String line : lines("templates.txt")) {
      if (!line.isBlank() && !line.startsWith("#")) {
        Template template = Template.parse(line, words);
        for (int i = 0; i < template.weight; i++) {
          slots.add(template);
        }
      }
    }
    byWeight = slots.toArray(Template[]::new);
    services = new byte[byWeight.length][];
    levels = new byte[byWeight.length][];
    for (int i = 0; i < byWeight.length; i++) {
      services[i] = byWeight[i].service.getBytes(StandardCharsets.US_ASCII);
      levels[i] = byWeight[i].level.getBytes(StandardCharsets.US_ASCII);
    }
  }

  @Override
  public void next(JsonBuffer out) {
    int slot = random.below(byWeight.length);
    envelope.draw(document);
    byte[] level =
        levels[slot][0] == '*'
            ? envelope.level().getBytes(StandardCharsets.US_ASCII)
            : levels[slot];
    envelope.open(out, document, words.host(random), services[slot], level);
    byWeight[slot].write(out, random, document);
    out.raw('"').raw('}');
  }

  private static List<String> lines(String resource) {
    try (InputStream in = LogGenerator.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource " + resource + " is missing from the jar");
      }
      try (BufferedReader reader =
          new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
        return reader.lines().toList();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
