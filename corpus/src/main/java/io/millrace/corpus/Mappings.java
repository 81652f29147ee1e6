package io.millrace.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The index bodies (settings and mappings, JSON) that belong to the generated documents. */
public enum Mappings {
  /** For {@link LogGenerator} and {@link RealLines}: the ten measured fields, one shard. */
  LOGS("logs.json"),
  /** For {@link TraceSegments}. */
  TRACES("traces.json");

  private final String resource;

  Mappings(String resource) {
    this.resource = resource;
  }

  /** The body for {@code PUT /{index}}. */
  public String body() {
    try (InputStream in = Mappings.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource " + resource + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
