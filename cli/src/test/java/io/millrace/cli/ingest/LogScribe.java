package io.millrace.cli.ingest;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes up what the lines of one sample file say, and notes down what it was: the time to the digit
 * that was written, the level and the host. All of it follows from a seed.
 */
final class LogScribe {
  private static final int FULL_TIME = 9;
  private static final List<String> HOSTS =
      List.of(
          "web1",
          "db-07",
          "node_3",
          "ip-10-2-3-4",
          "mx.example.com",
          "web-3.eu-west.example.org",
          "192.0.2.17",
          "2001:db8::7",
          "fe80::1ff:fe23:4567:890a",
          "7f9c6d5b8-x2x4z",
          "SRV2019");
  private static final List<String> PROGRAMS =
      List.of("sshd", "cron", "systemd", "shop-api", "postfix/smtpd", "dhclient", "kubelet", "su");
  private static final List<String> WORDS =
      List.of(
          "connection from %d closed",
          "no route to %d.example.com, retry in %d ms",
          "0 errors, %d warnings",
          "user 'anna' logged in: session %d",
          "cache: hit ratio 0.%d, %d entries",
          "GET /api/v1/orders/%d?limit=10 took %d ms",
          "job nightly-%d finished: status=ok",
          "Gr\u00f6\u00dfe \u00fcberschritten: %d > 100 \u2013 \u65e5\u672c",
          "could not open /var/lib/shop/%d.dat: No such file or directory (%d)",
          "[pool-%d] 12 idle, 3 busy",
          "info about %d: debug was off",
          "retry #%d -> https://example.com/a?b=%d",
          "lease valid for %d s",
          "%d",
          "a=%d b=\u00e9 c",
          "checkpoint complete: wrote %d buffers (0.%d%%)");

  private static final List<String> SEVERITIES =
      List.of("FATAL", "FATAL", "FATAL", "ERROR", "WARN", "NOTICE", "INFO", "DEBUG");
  private static final Pattern PART = Pattern.compile("\\$\\{(\\w+) ?([^}]*)}");

  private final Random random;
  private final List<String> hosts;
  private final int stepMillis;
  private ZoneId zone = ZoneOffset.UTC;
  private Instant now;
  private @Nullable Instant time;
  private @Nullable String level;
  private @Nullable String host;

  /**
   * For one file.
   *
   * @param stepMillis the longest time between two events
   */
  LogScribe(long seed, Instant start, int stepMillis) {
    random = new Random(seed);
    now = start;
    this.stepMillis = stepMillis;
    int first = random.nextInt(HOSTS.size());
    hosts = List.of(HOSTS.get(first), HOSTS.get((first + 4) % HOSTS.size()), HOSTS.get(5));
  }

  /** Lines are written on a clock of this zone from now on. */
  void zone(ZoneId value) {
    zone = value;
  }

  /** Goes on to the next event, of which nothing is said yet. */
  void next() {
    now = now.plusNanos(1_000_000L * random.nextInt(stepMillis) + random.nextInt(1_000_000));
    time = null;
    level = null;
    host = null;
  }

  Instant now() {
    return now;
  }

  @Nullable Instant time() {
    return time;
  }

  @Nullable String level() {
    return level;
  }

  @Nullable String host() {
    return host;
  }

  /** An event, with something said for each <code>${...}</code>. */
  String write(String event) {
    return PART.matcher(event)
        .replaceAll(m -> Matcher.quoteReplacement(part(m.group(1), m.group(2))));
  }

  private String part(String what, String rest) {
    return switch (what) {
      case "time" -> time(rest, zone);
      case "utc" -> time(rest, ZoneOffset.UTC);
      // seconds since 1970 with so many digits behind the point, or without the point
      case "epoch" -> epoch(Integer.parseInt(rest));
      case "count" -> epoch(Integer.parseInt(rest)).replace(".", "");
      case "level" -> level(rest);
      case "level5" -> "%-5s".formatted(level(rest));
      case "right5" -> "%5s".formatted(level(rest));
      case "priority" -> {
        int severity = severity();
        yield "<" + (8 * random.nextInt(24) + severity) + ">";
      }
      case "severity" -> "" + severity();
      case "host" -> {
        host = pick(hosts);
        yield host;
      }
      case "pid" -> "" + number(1, 65_000);
      case "pid5" -> "%5d".formatted(number(1, 65_000));
      case "micros" -> "%06d".formatted(number(0, 1_000_000));
      case "tag" -> pick(PROGRAMS) + (random.nextInt(4) == 0 ? "" : "[" + number(1, 65_000) + "]");
      case "pick" -> pick(List.of(rest.split("\\|", -1)));
      case "address" ->
          random.nextInt(4) == 0
              ? "2001:db8::" + Integer.toHexString(number(1, 65_000))
              : "203.0.113." + number(1, 255);
      case "message" -> random.nextInt(40) == 0 ? "" : text();
      case "text" -> text();
      case "json" -> text().replace("\\", "\\\\").replace("\"", "\\\"");
      default -> throw new IllegalArgumentException("unknown part: " + what);
    };
  }

  private String time(String pattern, ZoneId clock) {
    int digits = (int) pattern.chars().filter(c -> c == 'S').count();
    keep(pattern.contains("s") ? digits : -1);
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(now.atZone(clock));
  }

  private String epoch(int digits) {
    keep(digits);
    String fraction = String.format(Locale.ROOT, "%09d", now.getNano()).substring(0, digits);
    return now.getEpochSecond() + (digits == 0 ? "" : "." + fraction);
  }

  private void keep(int digits) {
    if (digits < 0) {
      time = now.truncatedTo(ChronoUnit.MINUTES);
      return;
    }
    long unit = Math.round(Math.pow(10, FULL_TIME - digits));
    time = Instant.ofEpochSecond(now.getEpochSecond(), now.getNano() / unit * unit);
  }

  /** One of {@code WARN CRITICAL=FATAL}: a word without a level means itself. */
  private String level(String words) {
    String[] pair = pick(List.of(words.split(" "))).split("=");
    level = pair[pair.length - 1];
    return pair[0];
  }

  private int severity() {
    int severity = random.nextInt(SEVERITIES.size());
    level = SEVERITIES.get(severity);
    return severity;
  }

  String pick(List<String> values) {
    return values.get(random.nextInt(values.size()));
  }

  int number(int from, int to) {
    return from + random.nextInt(to - from);
  }

  boolean oneOf(int count) {
    return random.nextInt(count) == 0;
  }

  private int pid() {
    return number(1, 65_000);
  }

  /** What a program says: now and then very much. */
  private String text() {
    String said = String.format(Locale.ROOT, pick(WORDS), pid(), pid());
    return oneOf(60) ? (said + " ").repeat(number(40, 400)) + "end" : said;
  }

  /** The rest of an event: the lines of a stack trace. */
  String trace(String kind) {
    return switch (kind) {
      case "java" ->
          "\njava.lang.IllegalStateException: no stock of "
              + pid()
              + "\n\tat com.example.Shop.sell(Shop.java:42)\n\tat java.base/java.lang.Thread.run"
              + "(Thread.java:1583)\nCaused by: java.io.IOException: Broken pipe"
              + "\n\tat com.example.Net.send(Net.java:7)\n\t... 2 more";
      case "python" ->
          "\nTraceback (most recent call last):\n  File \"/srv/shop.py\", line "
              + pid()
              + ", in sell\n    raise KeyError(item)\nKeyError: 'item'";
      case "dotnet" ->
          "\nSystem.InvalidOperationException: no stock\n   at Shop.Sell() in C:\\shop\\Shop.cs:line "
              + pid()
              + "\n   at Shop.Program.Main()";
      default -> "\n\tdetail " + pid() + "\n\tmore of it";
    };
  }
}
