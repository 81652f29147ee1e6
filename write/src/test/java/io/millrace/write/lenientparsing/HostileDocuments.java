package io.millrace.write.lenientparsing;

import java.util.Random;

/** Documents of few field names with values of every kind, so that types and paths clash often. */
final class HostileDocuments {
  private static final String[] NAMES = {
    "status",
    "message",
    "host",
    "host.name",
    "a",
    "a.b",
    "a.b.c",
    "@timestamp",
    "x",
    "x.",
    ".x",
    "",
    " "
  };

  private HostileDocuments() {}

  static String next(Random random) {
    return object(random, 0);
  }

  private static String object(Random random, int level) {
    StringBuilder out = new StringBuilder("{");
    int fields = random.nextInt(6);
    for (int i = 0; i < fields; i++) {
      String name =
          random.nextInt(10) == 0
              ? "new_" + random.nextInt(100_000)
              : NAMES[random.nextInt(NAMES.length)];
      out.append(i == 0 ? "" : ",").append('"').append(name).append("\":");
      out.append(value(random, level));
    }
    return out.append('}').toString();
  }

  private static String value(Random random, int level) {
    return switch (random.nextInt(level > 5 ? 12 : 16)) {
      case 0 -> "null";
      case 1 -> "true";
      case 2 -> Integer.toString(random.nextInt());
      case 3 -> Double.toString(random.nextGaussian());
      case 4 -> "\"2026-02-31T25:61:00Z\"";
      case 5 -> "\"2026-02-03T04:05:06Z\"";
      case 6 -> "1" + "0".repeat(random.nextInt(2000));
      case 7 -> "\"" + "w".repeat(40_000) + "\"";
      case 8 -> "1e" + random.nextInt(400);
      case 9 -> "\"\"";
      case 10 -> "\"two words\"";
      case 11 -> "\"\\ud800\"";
      case 12 -> object(random, level + 1);
      case 13 -> "{\"deep\":".repeat(30) + "1" + "}".repeat(30);
      default -> {
        StringBuilder list = new StringBuilder("[");
        int elements = random.nextInt(4);
        for (int i = 0; i < elements; i++) {
          list.append(i == 0 ? "" : ",").append(value(random, level + 1));
        }
        yield list.append(']').toString();
      }
    };
  }
}
