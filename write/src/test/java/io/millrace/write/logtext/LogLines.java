package io.millrace.write.logtext;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Log messages for tests: generated, or read from the folder in the system property {@code
 * millrace.corpus}.
 */
final class LogLines {
  private static final String[] TEMPLATES = {
    "INFO nova.osapi_compute.wsgi.server [req-%x %x - - -] %i \"GET /v2/%x/servers/detail HTTP/1.1\""
        + " status: %d len: %d time: 0.%d",
    "Received block blk_%d of size %d from /%i",
    "org.apache.hadoop.hdfs.DFSClient: DFSOutputStream ResponseProcessor exception for block blk_%d",
    "session opened for user %w by (uid=%d)",
    "Failed password for invalid user %w from %i port %d ssh2",
    "connection from %i (%w.example.com) at Mon Jul %d 03:%d:%d 2015",
    "key=%w value=%d status=ok cost=%dms",
    "用户 %d 登录失败 来自 %i 原因 密码错误",
    "java.lang.IllegalStateException: %w\n\tat com.acme.app.Foo$Bar.run(Foo.java:%d)",
    "ERROR could not open /var/log/%w/app-%d.log: No such file or directory",
    "Ärger mit Gerät %d: Überlauf",
    "%d",
    "started",
    "%w %w %w %w %w",
    "A/b/C a.b.c A.B.C %w a b c",
    "retry %k of %k after %dms, attempt %d of TLSv%k",
  };

  private static final String[] WORDS = {
    "root", "admin", "guest", "nova", "server", "status", "Ok", "error", "wsgi", "alpha", "beta",
    "gamma2", "delta", "block", "open", "user", "a", "b", "c", "für", "x1", "1x", "port", "info"
  };

  private LogLines() {}

  /** So many messages; the same for the same random. */
  static List<String> generate(Random random, int count) {
    List<String> out = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      out.add(fill(TEMPLATES[random.nextInt(TEMPLATES.length)], random));
    }
    return out;
  }

  static String word(Random random) {
    return WORDS[random.nextInt(WORDS.length)];
  }

  private static String fill(String template, Random random) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < template.length(); i++) {
      char c = template.charAt(i);
      if (c != '%') {
        out.append(c);
        continue;
      }
      switch (template.charAt(++i)) {
        case 'x' -> out.append(String.format(Locale.ROOT, "%08x", random.nextInt() & 0xffff));
        case 'd' -> out.append(random.nextInt(60));
        // nearly always the same, and the same elsewhere
        case 'k' -> out.append(random.nextInt(20) == 0 ? random.nextInt(9) : 3);
        case 'i' ->
            out.append("10.").append(random.nextInt(4)).append(".0.").append(random.nextInt(4));
        default -> out.append(word(random));
      }
    }
    return out.toString();
  }

  /** Lines of the corpus folder, or generated ones where none is given. */
  static List<String> corpus(Random random, int count) {
    String folder = System.getProperty("millrace.corpus");
    if (folder == null) {
      return generate(random, count);
    }
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      List<String> lines = new ArrayList<>();
      for (Path file : files.sorted().toList()) {
        if (file.toString().endsWith(".log")) {
          lines.addAll(
              new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList());
        }
      }
      java.util.Collections.shuffle(lines, random);
      return lines.subList(0, Math.min(count, lines.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
