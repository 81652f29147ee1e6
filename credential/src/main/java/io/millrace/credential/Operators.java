package io.millrace.credential;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The file of operators, {@code <config>/millrace/operators}: whoever can write it can get in, also
 * when the cluster has no manager. One {@code name:hash} a line; empty lines and lines that begin
 * with {@code #} are left out.
 *
 * @param hashes by name, in the order of the file
 */
public record Operators(Map<String, PasswordHash> hashes) {
  /** The file's place under the folder of the configuration. */
  public static final String PATH = "millrace/operators";

  /** What a name of an operator, a user or a role looks like. */
  public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

  /** The operators in this order. */
  public Operators {
    hashes = Map.copyOf(hashes);
  }

  /** No one. */
  public static Operators none() {
    return new Operators(Map.of());
  }

  /**
   * What the file says.
   *
   * @throws IllegalArgumentException with the number of the line that is wrong and what is wrong
   *     with it, without repeating the line
   */
  public static Operators parse(String text) {
    Map<String, PasswordHash> hashes = new LinkedHashMap<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String entry = line.strip();
      if (entry.isEmpty() || entry.startsWith("#")) {
        continue;
      }
      int colon = entry.indexOf(':');
      String name = colon < 0 ? "" : entry.substring(0, colon);
      try {
        if (!NAME.matcher(name).matches()) {
          throw new IllegalArgumentException(
              "it reads [name:hash], and a name has 1 to 64 letters, digits and . _ @ -");
        }
        if (hashes.putIfAbsent(name, PasswordHash.parse(entry.substring(colon + 1))) != null) {
          throw new IllegalArgumentException("[" + name + "] stands there already; remove one");
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "line " + number + " of the operators file: " + e.getMessage(), e);
      }
    }
    return new Operators(hashes);
  }

  /** The file's text with one more operator, or another password for one. */
  public static String with(String text, String name, PasswordHash hash) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "[name] is [" + name + "]; use 1 to 64 letters, digits and . _ @ -");
    }
    StringBuilder kept = new StringBuilder();
    text.lines()
        .filter(line -> !line.strip().startsWith(name + ":"))
        .forEach(line -> kept.append(line).append('\n'));
    return kept.append(name).append(':').append(hash.text()).append('\n').toString();
  }
}
