package io.millrace.corpus;

import java.nio.charset.StandardCharsets;

/**
 * The nine fields around the message, with the distributions of the documents our measurements were
 * made on: 200 hosts, mostly INFO, exponential latency with a mean of 40 ms, Pareto sizes. Shared
 * by {@link LogGenerator} and {@link RealLines}.
 */
final class Envelope {
  private static final String[] LEVELS = {"INFO", "WARN", "ERROR", "DEBUG"};
  private static final int[] STATUS = {200, 200, 200, 200, 301, 404, 500};
  private static final int STEPS = 4096;

  private final Prng random;
  private final LogGenerator.Options options;
  private final int[] latencyMicros = new int[STEPS];
  private final long[] sizes = new long[STEPS];
  private long now;

  Envelope(Prng random, LogGenerator.Options options) {
    this.random = random;
    this.options = options;
    this.now = options.startMillis();
    for (int i = 0; i < STEPS; i++) {
      double tail = 1.0 - (i + 0.5) / STEPS;
      latencyMicros[i] = (int) (-StrictMath.log(tail) * 40_000);
      sizes[i] = (long) (200 / StrictMath.pow(tail, 1 / 1.2));
    }
  }

  /** Draws the numbers of the next document and moves the clock on. */
  void draw(LogGenerator.Document document) {
    now += random.between(0, 2L * options.meanGapMillis());
    document.millis = now;
    document.status = STATUS[random.below(STATUS.length)];
    document.latencyMicros = latencyMicros[random.below(STEPS)] + random.below(10);
    document.bytes = sizes[random.below(STEPS)] + random.below(64);
  }

  /** A level with the overall mix: 80 INFO, 12 WARN, 6 ERROR, 2 DEBUG of 100. */
  String level() {
    int draw = random.below(100);
    return LEVELS[draw < 80 ? 0 : draw < 92 ? 1 : draw < 98 ? 2 : 3];
  }

  /** Writes everything up to the opening quote of the message. */
  void open(
      JsonBuffer out, LogGenerator.Document document, byte[] host, byte[] service, byte[] level) {
    out.raw(TIME).instant(document.millis).raw(HOST).raw(host).raw(SERVICE).raw(service);
    out.raw(LEVEL).raw(level).raw(PID).number(random.between(100, 65_535)).raw(TRACE);
    out.hex(random.bits(), 16).hex(random.bits(), 16).raw(STATUS_FIELD).number(document.status);
    out.raw(LATENCY).thousandths(document.latencyMicros).raw(BYTES).number(document.bytes);
    out.raw(MESSAGE);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static final byte[] TIME = ascii("{\"@timestamp\":\"");
  private static final byte[] HOST = ascii("\",\"host\":\"");
  private static final byte[] SERVICE = ascii("\",\"service\":\"");
  private static final byte[] LEVEL = ascii("\",\"level\":\"");
  private static final byte[] PID = ascii("\",\"pid\":");
  private static final byte[] TRACE = ascii(",\"trace_id\":\"");
  private static final byte[] STATUS_FIELD = ascii("\",\"status\":");
  private static final byte[] LATENCY = ascii(",\"latency_ms\":");
  private static final byte[] BYTES = ascii(",\"bytes\":");
  private static final byte[] MESSAGE = ascii(",\"message\":\"");
}
