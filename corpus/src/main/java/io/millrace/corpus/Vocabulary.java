package io.millrace.corpus;

import java.nio.charset.StandardCharsets;

/**
 * The names that generated logs speak of, each list drawn with Zipfian frequency: hosts, users,
 * paths, dotted class names and so on. Built from the seed; immutable afterwards.
 */
final class Vocabulary {
  static final byte[] THREAD = "http-nio-8080-exec-".getBytes(StandardCharsets.US_ASCII);

  private static final String[] SYLLABLES = {
    "ka", "ro", "mi", "ten", "sol", "var", "dex", "lu", "pan", "or", "bit", "cas", "fen", "gra",
    "hol", "jun", "kel", "lam", "nex", "pol", "qui", "rus", "sta", "tri", "ul", "ver", "wim", "zen"
  };
  private static final String[] STEMS = {
    "order",
    "cart",
    "user",
    "session",
    "payment",
    "invoice",
    "stock",
    "search",
    "catalog",
    "price",
    "shipping",
    "gateway",
    "profile",
    "metrics",
    "cache",
    "queue",
    "worker",
    "index",
    "report",
    "billing",
    "login",
    "token",
    "image",
    "upload",
    "event",
    "audit",
    "mail",
    "export",
    "import",
    "feed",
    "review",
    "rating",
    "coupon",
    "tax",
    "address",
    "device",
    "sensor",
    "stream",
    "archive",
    "backup"
  };
  private static final String[] CLASS_TAILS = {
    "Service", "Controller", "Repository", "Client", "Handler", "Listener", "Scheduler", "Filter"
  };
  private static final String[] METHODS = {
    "get", "put", "find", "load", "store", "apply", "handle", "process", "flush", "retry"
  };
  private static final String[] PHRASES = {
    "Bestellung bestätigt für Köln",
    "您的订单已发货",
    "注文が確定しました",
    "Заказ доставлен",
    "señal recibida ✓",
    "größe geändert",
    "支付成功",
    "配送が遅れています 🚚"
  };

  private final byte[][] hosts;
  private final Zipf hostRank;
  private final byte[][] words;
  private final Zipf wordRank;
  private final Prng build;
  private final int users;
  private final Zipf octets = new Zipf(4096, 0.9);

  Vocabulary(long seed, LogGenerator.Options options) {
    build = new Prng(seed ^ 0x766F636162L);
    users = options.users();
    hosts = new byte[options.hosts()][];
    for (int i = 0; i < hosts.length; i++) {
      hosts[i] =
          ascii(
              "ip-10-" + build.below(256) + "-" + build.below(256) + "-" + (1 + build.below(254)));
    }
    hostRank = new Zipf(hosts.length, 0.7);
    words = list(120, () -> STEMS[build.below(STEMS.length)] + SYLLABLES[build.below(28)]);
    System.arraycopy(list(STEMS.length, this::stem), 0, words, 0, STEMS.length);
    wordRank = new Zipf(words.length, 1.0);
  }

  private int stemCursor;

  private String stem() {
    return STEMS[stemCursor++ % STEMS.length];
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[][] list(int size, java.util.function.Supplier<String> name) {
    byte[][] list = new byte[size][];
    for (int i = 0; i < size; i++) {
      list[i] = ascii(name.get());
    }
    return list;
  }

  byte[] host(Prng random) {
    return hosts[hostRank.draw(random)];
  }

  byte[] word(Prng random) {
    return words[wordRank.draw(random)];
  }

  /** Addresses: 4096 frequent ones (Zipfian), one in five entirely random. */
  void ip(JsonBuffer out, Prng random) {
    long bits = random.percent(20) ? random.bits() : new Prng(octets.draw(random)).bits();
    out.number(1 + (bits & 127)).raw('.').number(bits >>> 8 & 255).raw('.');
    out.number(bits >>> 16 & 255).raw('.').number(1 + (bits >>> 24 & 127));
  }

  /** A drawing placeholder over one list. */
  Template.Part list(String kind) {
    byte[][] values =
        switch (kind) {
          case "user" -> list(users, () -> syllables(2 + build.below(2)) + build.below(100));
          case "path" -> list(600, this::path);
          case "domain" -> list(24, () -> syllables(3) + ".example." + pick("com", "org", "net"));
          case "class" -> list(160, this::className);
          case "method" -> list(60, () -> pick(METHODS) + capital(pick(STEMS)));
          case "namespace" -> list(16, () -> pick("prod", "stage", "infra") + "-" + pick(STEMS));
          case "table" -> list(48, () -> pick(STEMS) + "_" + pick(STEMS));
          case "unicode" -> list(PHRASES.length, () -> PHRASES[stemCursor++ % PHRASES.length]);
          default -> words;
        };
    Zipf rank = new Zipf(values.length, 0.9);
    return (out, random, document) -> out.raw(values[rank.draw(random)]);
  }

  private String path() {
    String first = "/api/v" + (1 + build.below(3)) + "/" + pick(STEMS);
    return switch (build.below(4)) {
      case 0 -> first;
      case 1 -> first + "/" + build.below(100_000);
      case 2 -> first + "/" + build.below(100_000) + "/" + pick(STEMS) + "s";
      default -> "/static/" + pick(STEMS) + "." + pick("js", "css", "png", "html");
    };
  }

  private String className() {
    String stem = pick(STEMS);
    return "com.example." + pick(STEMS) + "." + stem + "." + capital(stem) + pick(CLASS_TAILS);
  }

  private String pick(String... choices) {
    return choices[build.below(choices.length)];
  }

  private static String capital(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }

  private String syllables(int count) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < count; i++) {
      name.append(pick(SYLLABLES));
    }
    return name.toString();
  }
}
