package io.millrace.launcher.node;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code -XX} flags a JDK knows. HotSpot refuses to start with one it does not know, and a
 * profile has to serve JDK 21 to 25 of several vendors; {@code -XX:+IgnoreUnrecognizedVMOptions}
 * would start, but hide a typing mistake for good. So: ask, leave out, say so.
 */
final class KnownFlags {
  private static final Pattern PRINTED = Pattern.compile("^\\s*\\S+ (\\w+)\\s+:?= ");
  private static final Pattern VERSION = Pattern.compile(" version \"(\\d+)");
  private static final Pattern USED = Pattern.compile("^(?:(\\d+)(-(\\d+)?)?:)?-XX:[+-]?(\\w+)");

  private final int feature;
  private final Set<String> names;

  KnownFlags(int feature, Set<String> names) {
    this.feature = feature;
    this.names = names;
  }

  /** Asks the JDK (about 0.1 s). */
  static KnownFlags of(Path javaHome) throws IOException {
    Process java =
        new ProcessBuilder(
                javaHome.resolve("bin/java").toString(),
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:+PrintFlagsFinal",
                "-Xmx32m",
                "-version")
            .redirectErrorStream(true)
            .start();
    Set<String> names = new HashSet<>();
    int feature = 0;
    try (BufferedReader out = java.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        Matcher flag = PRINTED.matcher(line);
        Matcher version = VERSION.matcher(line);
        if (flag.find()) {
          names.add(flag.group(1));
        } else if (version.find()) {
          feature = Integer.parseInt(version.group(1));
        }
      }
    }
    return new KnownFlags(feature, names);
  }

  /** The flags in lines of a jvm.options file that this JDK does not know. */
  List<String> unknownIn(List<String> lines) {
    List<String> unknown = new ArrayList<>();
    for (String line : lines) {
      if (!knows(line)) {
        unknown.add(line);
      }
    }
    return unknown;
  }

  List<String> withoutUnknown(List<String> lines) {
    return lines.stream().map(l -> knows(l) ? l : "# not known to this JDK: " + l).toList();
  }

  /** A flag for other versions ("21-22:") is no matter of this JDK. */
  private boolean knows(String line) {
    Matcher flag = USED.matcher(line);
    return !flag.find()
        || names.isEmpty()
        || names.contains(flag.group(4))
        || !inRange(flag.group(1), flag.group(2), flag.group(3));
  }

  private boolean inRange(@Nullable String from, @Nullable String open, @Nullable String to) {
    if (from == null) {
      return true;
    }
    int first = Integer.parseInt(from);
    int last = to != null ? Integer.parseInt(to) : open == null ? first : Integer.MAX_VALUE;
    return feature >= first && feature <= last;
  }
}
