package io.millrace.cli.terminal;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A new password: from the terminal, twice and without showing it, else the first line of standard
 * input. It is never an argument, which other users of the machine could see.
 */
public final class SecretInput {
  private SecretInput() {}

  /**
   * Asks for it.
   *
   * @throws ExpectedFailure with {@link ExitCode#USAGE} when there is none, or two different ones
   */
  public static char[] password() throws IOException {
    Console console = System.console();
    if (console != null) {
      char[] first = console.readPassword("password: ");
      char[] again = console.readPassword("again: ");
      if (first == null || again == null || !Arrays.equals(first, again)) {
        throw new ExpectedFailure(ExitCode.USAGE, "the two passwords differ", "Try again.");
      }
      return first;
    }
    return line(System.in);
  }

  static char[] line(InputStream from) throws IOException {
    String line =
        new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8)).readLine();
    if (line == null || line.isEmpty()) {
      throw new ExpectedFailure(
          ExitCode.USAGE, "standard input holds no password", "Write it there, as one line.");
    }
    return line.toCharArray();
  }
}
