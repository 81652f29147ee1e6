package io.millrace.it.twins;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** Texts that logs hold, and texts that nobody should log; and what is searched for in them. */
final class TwinTexts {
  private static final String[] TEMPLATES = {
    "user %s opened session %s from %s in %s ms",
    "GET /api/v%s/items/%s?page=%s HTTP/1.1\" 200 %s",
    "[%s] nova.osapi_compute.wsgi.server %s status: %s len: %s",
    "connection from %s closed after %s s, reason=%s, code=%s",
    "%s %s %s %s",
    "Failed password for invalid user %s from %s port %s ssh2 %s",
    "blk_%s replicated to %s:%s at %s",
    "größe=%s größe=%s ok=%s Ünï-%s"
  };
  private static final String[] WORDS = {
    "connection",
    "timeout",
    "Retry",
    "disk",
    "full",
    "nova.wsgi.server",
    "/var/log/app.log",
    "the",
    "user=alice",
    "GET",
    "200",
    "warning",
    "caché",
    "naïve",
    "東京",
    "session",
    "opened",
    "a",
    "I/O"
  };
  private static final String[] HOSTILE = {
    "",
    " ",
    "\n\t",
    "...!!! ??? --- ///",
    "{}[]()",
    "\u0000",
    "a\u0000b 7\u0000",
    "\u0001\u0002 3",
    "\ud83d\ude00 smile \ud83d\ude00\ud83d\ude01",
    "lone \ud83d high",
    "low \ude00 lone 5",
    "e\u0301 cafe\u0301 caf\u00e9",
    "İstanbul ISTANBUL ıstanbul",
    "ß ẞ SS ss",
    "ﬁ ﬀ",
    "１２３ ٤٥٦ 7",
    "-007 +12 007 7 1e10 0x1F 1.50 -0 00 1_000",
    "::1 2001:db8::ff00:42:8329 fe80::1%eth0 10.0.0.1:80",
    "550E8400-E29B-41D4-A716-446655440000 550e8400-e29b-41d4-a716-446655440000",
    "\u200f\u202emirror\u202c 12",
    "a\u00adb soft\u00adhyphen9",
    "x\u200by\ufeff8",
    "\\\"quoted\\\" \\u0041 \\n 4",
    "%s %d {} ${x} {{y}} 6",
    "a.b.c.d.e.f1",
    "_ __ _1_ -- 1-2-3",
    "key=value&k2=v2;k3=\"v 3\"",
    "\r\nline1\r\nline2\u2028line3",
    "\uffff \ufffe 9 \ufffd",
    "\ue000 private 1",
    "null true false NaN",
    "session opened",
    "SESSION Opened",
    "*",
    "?",
    "a* b?"
  };

  private final Draw draw;

  /** What was written, for searches that find. */
  private final List<String> written = new ArrayList<>();

  TwinTexts(Draw draw) {
    this.draw = draw;
    written.add("session opened 1");
  }

  /** A message, remembered. */
  String message() {
    String message =
        switch (draw.below(20)) {
          case 0, 1, 2, 3 -> draw.any(HOSTILE);
          case 4 -> words(12);
          case 5 -> written();
          case 6 -> draw.any(HOSTILE) + " " + variable() + " " + draw.any(HOSTILE);
          case 7 -> draw.once(10) ? huge() : words(3);
          default -> {
            String template = draw.once(4) ? draw.any(TEMPLATES) : TEMPLATES[draw.below(3)];
            yield String.format(
                Locale.ROOT, template, variable(), variable(), variable(), variable());
          }
        };
    if (written.size() < 3000) {
      written.add(message);
    }
    return message;
  }

  private String huge() {
    return switch (draw.below(5)) {
      case 0 -> "x".repeat(40_000) + " end 1";
      case 1 -> "é1".repeat(20_000);
      case 2 -> String.join(" ", draw.list(1_000, this::variable));
      case 3 -> "\ud83d\ude00".repeat(9_000);
      default -> "start " + "0123456789abcdef".repeat(3_000);
    };
  }

  String word() {
    return draw.any(WORDS);
  }

  private String words(int most) {
    return String.join(" ", draw.list(1 + draw.below(most), this::word));
  }

  private String variable() {
    return switch (draw.below(12)) {
      case 0, 1, 2 -> "" + draw.below(20);
      case 3 -> "" + draw.below(100_000);
      case 4 -> "10.0." + draw.below(3) + "." + draw.below(200);
      case 5 -> id();
      case 6 -> word();
      case 7 -> draw.any(HOSTILE);
      case 8 -> "req-" + id();
      case 9 -> "00" + draw.below(9);
      case 10 -> "HTTP2";
      default -> "x" + Integer.toString(draw.below(50), 36);
    };
  }

  /** An id of few: hexadecimal, a UUID, upper case, or anything. */
  String id() {
    long n = draw.below(60) * 0x9E3779B97F4A7C15L;
    return switch (draw.below(9)) {
      case 0 -> new UUID(n, ~n).toString();
      case 1 -> new UUID(n, ~n).toString().toUpperCase(Locale.ROOT);
      case 2 -> String.format(Locale.ROOT, "%016X", n);
      case 3 -> draw.any(HOSTILE);
      case 4 -> String.format(Locale.ROOT, "%016x", n);
      default -> String.format(Locale.ROOT, "%016x%016x", n, ~n);
    };
  }

  /** A message that was written, perhaps. */
  String written() {
    return draw.of(written);
  }

  /** Some words of a message that was written, often with one that was not. */
  String cut(int most) {
    String[] words = written().split(draw.once(8) ? "(?<=\\W)" : " ");
    if (words.length == 0) {
      return draw.any(HOSTILE);
    }
    int from = draw.below(words.length);
    int to = Math.min(words.length, from + 1 + draw.below(most));
    StringBuilder cut = new StringBuilder();
    for (int i = from; i < to; i++) {
      cut.append(i == from ? "" : " ").append(draw.once(25) ? variable() : words[i]);
    }
    if (draw.once(6) && cut.length() > 2) {
      cut.setLength(cut.length() - 1 - draw.below(cut.length() / 2));
    }
    return cut.length() > 3000 && !draw.once(10) ? cut.substring(0, 40) : cut.toString();
  }

  /** One token, as the index may have it. */
  String token() {
    String[] tokens = cut(4).split("[^\\p{L}\\p{N}]+");
    String token = tokens.length == 0 ? word() : tokens[draw.below(tokens.length)];
    return draw.once(8) ? token : token.toLowerCase(Locale.ROOT);
  }

  /** Some characters of a token. */
  String part() {
    String token = token();
    int length = token.codePointCount(0, token.length());
    int from = draw.once(2) ? 0 : draw.below(length + 1);
    int to = Math.min(length, from + 1 + draw.below(5));
    return token.substring(token.offsetByCodePoints(0, from), token.offsetByCodePoints(0, to));
  }

  String hostile() {
    return draw.any(HOSTILE);
  }
}
