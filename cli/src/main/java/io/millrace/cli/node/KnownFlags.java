package io.millrace.cli.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code -XX} flags a JDK knows. HotSpot refuses to start with one it does not know, and a
 * profile has to serve JDK 21 to 25 of several vendors; {@code -XX:+IgnoreUnrecognizedVMOptions}
 * would start, but hide a typing mistake for good. So: ask, leave out, say so.
 */
final class KnownFlags {
  private static final Pattern PRINTED = Pattern.compile("^\\s*\\S+ (\\w+)\\s+:?= ");
  private static final Pattern USED = Pattern.compile("^(?:\\d+(?:-\\d*)?:)?-XX:[+-]?(\\w+)");

  private final Set<String> names;

  KnownFlags(Set<String> names) {
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
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Set<String> names = new HashSet<>();
    try (var out = java.inputReader()) {
      out.lines().map(PRINTED::matcher).filter(Matcher::find).forEach(m -> names.add(m.group(1)));
    }
    return new KnownFlags(names);
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

  private boolean knows(String line) {
    Matcher flag = USED.matcher(line);
    return !flag.find() || names.isEmpty() || names.contains(flag.group(1));
  }
}
