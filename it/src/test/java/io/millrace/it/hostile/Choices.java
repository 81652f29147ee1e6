package io.millrace.it.hostile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntFunction;

/** What the rules of the grammar are filled with: fields of the logs, and numbers at their ends. */
final class Choices {
  /** The index that the requests ask; written as any log is. */
  static final String INDEX = "logs-hostile";

  /** An index that requests may change. */
  static final String SCRATCH = "logs-hostile-scratch";

  /** The time of the first document, in milliseconds since the epoch; one each 10 ms. */
  static final long FIRST = 1_795_000_000_000L;

  private static final String[] KEYWORDS = {"trace_id", "host", "service", "level"};
  private static final String[] NUMBERS = {"status", "took", "bytes", "ratio"};
  private static final String[] WORDS = {
    "request", "failed", "timeout", "user", "connection", "of", "a", "error", "42", "zzz"
  };

  /** Values of one request; a query or an aggregation counts for {@link #OF_A_TREE}. */
  private static final int MOST = 100_000;

  private static final int OF_A_TREE = 100;

  final Random random;
  private int left = MOST;

  Choices(Random random) {
    this.random = random;
  }

  boolean oneOf(int count) {
    return random.nextInt(count) == 0;
  }

  @SafeVarargs
  final <T> T any(T... values) {
    return values[random.nextInt(values.length)];
  }

  String keyword() {
    return any(KEYWORDS);
  }

  String number() {
    return any(NUMBERS);
  }

  /** A field of any kind. */
  String field() {
    return any(keyword(), number(), "@timestamp", "message");
  }

  /** A field with doc values. */
  String column() {
    return any(keyword(), number(), "@timestamp");
  }

  String word() {
    return any(WORDS);
  }

  /** A value that some document has, or none. */
  Object value(String field) {
    return switch (field) {
      case "host" -> "host-" + random.nextInt(1200);
      case "service" -> "svc-" + random.nextInt(25);
      case "level" -> any("INFO", "WARN", "ERROR", "NONE");
      case "trace_id" -> String.format(Locale.ROOT, "%032x", random.nextLong());
      case "message" -> word();
      case "@timestamp" -> FIRST + random.nextInt(1_000_000);
      case "ratio" -> random.nextDouble();
      default -> random.nextInt(100_000);
    };
  }

  /** How many: a few, or as many as limits allow, or more. */
  int many() {
    return any(1, 3, 10, 100, 1_000, 10_000, 65_536, 1_000_000, Integer.MAX_VALUE);
  }

  /** How many to write out: what a body of some megabytes holds. */
  int listed() {
    return any(1, 2, 10, 100, 1_000, 5_000);
  }

  /** How deep or how wide a tree grows that is written out. */
  int few() {
    return any(1, 2, 3, 5, 20);
  }

  /** Begins a request. */
  void begin() {
    left = MOST;
  }

  /** Whether a request may have one more query or aggregation in it. */
  boolean another() {
    left -= OF_A_TREE;
    return left > 0;
  }

  /** As many values, or as many as the request may have. */
  List<Object> list(int size, IntFunction<?> value) {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < size && (i == 0 || left > 0); i++) {
      left--;
      list.add(value.apply(i));
    }
    return list;
  }

  String words(int count) {
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < count; i++) {
      words.append(i == 0 ? "" : " ").append(word());
    }
    return words.toString();
  }

  /** A script that loops, grows a text or a list, or does what scripts do. */
  String script(String returned) {
    int times = any(10, 1_000, 100_000, 10_000_000, Integer.MAX_VALUE);
    return any(
        "return " + returned,
        "long n = 0; for (int i = 0; i < " + times + "; i++) { n += i } return " + returned,
        "String s = ''; for (int i = 0; i < "
            + times
            + "; i++) { s += 'xxxxxxxx' } return "
            + returned,
        "List l = new ArrayList(); for (int i = 0; i < "
            + times
            + "; i++) { l.add('x' + i) } return "
            + returned,
        "def m = /(a+)+b/.matcher('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'); m.find(); return "
            + returned,
        "int f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2) } f("
            + any(5, 20, 40)
            + "); return "
            + returned);
  }
}
