package io.millrace.corpus;

import java.nio.charset.StandardCharsets;

/**
 * Log lines of which most hold something that a mapping refuses: conflicting types, words of 40 kB,
 * 5,000 field names, names that clash by their dots or with OpenSearch's own fields, broken dates,
 * invalid UTF-8, names that stand twice, abysses of objects, numbers that no type holds. Every
 * document is a JSON object, or would be one if its bytes were UTF-8; in between stand documents
 * without fault.
 *
 * <p>What is certain to be left out whatever came before is counted: {@link #brokenTimestamps()}.
 */
public final class HostileDocuments implements DocumentSource {
  private static final int SERVICES = 10;
  private static final String WORD = "w".repeat(40_000);
  private static final String[] CLASHING = {
    "code", "code.function", "code.function.name", "code..line", ".code", "code.", " ", "labels.a.b"
  };

  /** Names of fields in which OpenSearch keeps its own state of a document. */
  private static final String[] INTERNAL = {
    "__soft_deletes", "_tombstone", "_primary_term", "_recovery_source"
  };

  private static final String[] BROKEN_DATES = {
    "\"yesterday evening\"", "\"2026-02-31T25:61:00Z\"", "\"\"", "{\"seconds\":12}", "[\"no\"]"
  };

  private final Prng random;
  private long now = 1_790_000_000_000L;
  private long brokenTimestamps;
  private long number;

  /** The same documents for the same seed. */
  public HostileDocuments(long seed) {
    random = new Prng(seed);
  }

  /** Documents so far whose {@code @timestamp} is no date. */
  public long brokenTimestamps() {
    return brokenTimestamps;
  }

  @Override
  public void next(JsonBuffer out) {
    now += random.between(0, 40);
    boolean broken = random.percent(5);
    out.raw("{\"@timestamp\":");
    if (broken) {
      brokenTimestamps++;
      out.raw(BROKEN_DATES[random.below(BROKEN_DATES.length)]);
    } else {
      out.raw('"').instant(now).raw('"');
    }
    out.raw(",\"n\":").number(number++);
    out.raw(",\"service\":{\"name\":\"service-").number(random.below(SERVICES)).raw("\"}");
    out.raw(",\"message\":\"request ").number(random.below(100_000)).raw(" took 7 ms\"");
    int oddities = random.below(4);
    for (int i = 0; i < oddities; i++) {
      oddity(out);
    }
    out.raw('}');
  }

  private void oddity(JsonBuffer out) {
    switch (random.below(1000) % 13) {
      case 0 -> out.raw(",\"status\":").raw(value());
      case 1 -> out.raw(",\"user\":").raw(value());
      case 2 -> out.raw(",\"http.response\":").raw(value()).raw(",\"http\":").raw(value());
      case 3 -> {
        out.raw(",\"").raw(CLASHING[random.below(CLASHING.length)]).raw("\":").raw(value());
        out.raw(",\"").raw(CLASHING[random.below(CLASHING.length)]).raw("_\":").raw(value());
      }
      case 4 -> out.raw(",\"event.created\":").raw(BROKEN_DATES[random.below(3)]);
      case 5 -> out.raw(",\"name\":\"caf").raw(0xE9).raw(" \\ud800 ").raw(0xFF).raw('"');
      case 6 -> out.raw(",\"level\":\"a\",\"level\":\"b\"");
      case 7 -> out.raw(",\"load\":").raw(random.percent(50) ? "NaN" : "1e400");
      case 8 -> out.raw(",\"big\":1").raw("0".repeat(random.below(300)));
      case 9 -> out.raw(",\"host.ip\":").raw(random.percent(50) ? "\"::1\"" : "\"no address\"");
      case 10 -> out.raw(",\"tab\":\"a\tb\",\"new_").number(random.below(20)).raw("\":1");
      case 11 ->
          out.raw(",\"").raw(INTERNAL[random.below(INTERNAL.length)]).raw("\":").raw(value());
      default -> rare(out);
    }
  }

  /** What is large; rare, so that a million documents stay a few gigabytes. */
  private void rare(JsonBuffer out) {
    switch (random.below(100)) {
      case 0 -> {
        for (int i = 0; i < 5000; i++) {
          out.raw(",\"wide_").number(i).raw("\":").number(i);
        }
      }
      case 1, 2, 3 -> out.raw(",\"path\":\"").raw(WORD).raw('"');
      case 4, 5, 6 -> out.raw(",\"exception\":\"").raw(WORD).raw('"');
      case 7, 8 -> out.raw(",\"deep\":").raw("{\"d\":".repeat(200)).raw('1').raw("}".repeat(200));
      case 9 -> out.raw(",\"list\":[").raw("[".repeat(90)).raw("]".repeat(90)).raw(",\"x\"]");
      default -> out.raw(",\"error\":").raw(value());
    }
  }

  private byte[] value() {
    String text =
        switch (random.below(9)) {
          case 0 -> "null";
          case 1 -> "true";
          case 2 -> Long.toString(random.bits());
          case 3 -> "12.5";
          case 4 -> "\"two words\"";
          case 5 -> "\"2026-02-03T04:05:06Z\"";
          case 6 -> "{\"code\":" + random.below(600) + "}";
          case 7 -> "[1,\"x\",{\"y\":2},null]";
          default -> "{\"code\":{\"name\":\"z\"}}";
        };
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
