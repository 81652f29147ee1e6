package io.millrace.it.support;

import io.millrace.it.support.Commands.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * Jars that one test alone needs, from where Maven fetches everything: by the test itself, so that
 * no other build pays for them.
 */
public final class Maven {
  /** The plugin whose goals fetch, with a colon behind it. */
  public static final String DEPENDENCY = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:";

  private Maven() {}

  /**
   * Runs goals with the JDK of the test. Where Maven or what it is asked for cannot be had, the
   * test is skipped and says why.
   *
   * @param what is fetched, for that message
   */
  public static void fetch(String what, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-q"));
    command.addAll(List.of(arguments));
    Map<String, String> jdk = Map.of("JAVA_HOME", System.getProperty("java.home"));
    try {
      Outcome fetched = Commands.again(3, Path.of(""), jdk, command);
      Assumptions.assumeTrue(
          fetched.exitCode() == 0, "NOT TESTED, no " + what + " from Maven: " + fetched);
    } catch (IOException e) {
      Assumptions.abort("NOT TESTED: " + what + " needs mvn: " + e.getMessage());
    }
  }
}
