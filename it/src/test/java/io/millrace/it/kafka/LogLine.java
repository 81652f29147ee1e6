package io.millrace.it.kafka;

/**
 * One log line, the same each time it is asked for.
 *
 * @param n its number
 * @param time when it was produced, in milliseconds since 1970
 */
record LogLine(int n, long time) {
  private static final String[] LEVELS = {"DEBUG", "INFO", "INFO", "INFO", "WARN", "ERROR"};

  static LogLine of(int n, long time) {
    return new LogLine(n, time);
  }

  String id() {
    return "line-" + n;
  }

  /** As it is produced: with its id. */
  String json() {
    return "{\"id\":\"" + id() + "\"," + fields();
  }

  /** As it is to be found: the id is no field any more. */
  String source() {
    return "{" + fields();
  }

  private String fields() {
    long mixed = (n + 1) * 0x9e3779b97f4a7c15L;
    return ("\"n\":%d,\"@timestamp\":%d,\"level\":\"%s\",\"service\":\"shop-%d\","
            + "\"trace_id\":\"%016x%016x\",\"took\":%d.5,"
            + "\"message\":\"request %d of customer %d took %d ms \\u2713\"}")
        .formatted(
            n,
            time,
            LEVELS[Math.floorMod((int) (mixed >>> 8), LEVELS.length)],
            Math.floorMod((int) (mixed >>> 16), 12),
            mixed,
            mixed * 31,
            Math.floorMod((int) (mixed >>> 24), 900),
            n,
            Math.floorMod((int) (mixed >>> 32), 5000),
            Math.floorMod((int) (mixed >>> 40), 900));
  }
}
