package io.millrace.keystore;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where secrets come from: the terminal without echo when there is one, else one line of standard
 * input each, so that scripts can pipe them; never an argument, which every user of the machine
 * could read from the process list.
 */
final class Secrets {
  private final @Nullable Console console;
  private final BufferedReader lines;

  Secrets(@Nullable Console console, InputStream in) {
    this.console = console;
    this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /**
   * Terminal or pipe: since JDK 22 {@link System#console()} is there for a pipe, too, unless {@code
   * -Djdk.console=java.base} is given, as bin/opensearch-keystore does.
   */
  static Secrets ofProcess() {
    return new Secrets(System.console(), System.in);
  }

  /**
   * @return the secret; never {@code null}, may be empty
   * @throws KeystoreFailure when the input has ended
   */
  char[] read(String prompt) throws IOException {
    if (console != null) {
      char[] secret = console.readPassword("%s: ", prompt);
      if (secret == null) {
        throw new KeystoreFailure("aborted");
      }
      return secret;
    }
    String line = lines.readLine();
    if (line == null) {
      throw new KeystoreFailure("standard input ended where \"" + prompt + "\" was expected");
    }
    return line.toCharArray();
  }

  /** Reads a new secret; on a terminal twice, because nobody sees what is typed. */
  char[] readNew(String prompt) throws IOException {
    char[] first = read(prompt);
    if (console != null && !Arrays.equals(first, read(prompt + " (again)"))) {
      throw new KeystoreFailure("the two entries differ; nothing was changed");
    }
    return first;
  }

  /** Asks yes or no; without a terminal nobody can answer: no. */
  boolean confirm(String question) {
    if (console == null) {
      return false;
    }
    String answer = console.readLine("%s [y/N] ", question);
    return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
  }
}
