package io.millrace.plugin.stats;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/**
 * Which build of the plugin this is; the same words as in the plugin's descriptor.
 *
 * @param version the plugin's version, for example {@code 3.8.0.1}
 * @param openSearch the OpenSearch version it was built for
 */
public record Build(String version, String openSearch) {

  /** Reads what the build wrote beside this class. */
  public static Build current() {
    Properties properties = new Properties();
    try (InputStream in = Build.class.getResourceAsStream("build.properties")) {
      properties.load(
          Objects.requireNonNull(in, "build.properties is missing from the plugin jar"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Build(
        properties.getProperty("version", "unknown"),
        properties.getProperty("opensearch.version", "unknown"));
  }
}
