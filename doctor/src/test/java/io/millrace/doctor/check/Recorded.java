package io.millrace.doctor.check;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.millrace.doctor.snapshot.Bundle;
import io.millrace.doctor.snapshot.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * Bundles of healthy clusters: {@code healthy.json} is made by hand after OpenSearch 3.8.0 with
 * three nodes; those in {@code recorded} were saved by the doctor from real servers under load,
 * with hidden names. Their processes had few file descriptors, which is the one value that was
 * changed; what clients asked for was taken out.
 */
public final class Recorded {
  private Recorded() {}

  /** The one that faults are planted in. */
  public static Snapshot healthy() {
    return read("healthy.json");
  }

  /** All of them, by name. */
  public static Map<String, Snapshot> all() {
    Map<String, Snapshot> all = new TreeMap<>();
    all.put("healthy.json", healthy());
    for (String name : List.of(RECORDED)) {
      all.put(name, read("recorded/" + name));
    }
    return all;
  }

  private static final String[] RECORDED = {
    "opensearch-1.3.20.json.gz",
    "opensearch-2.19.4.json.gz",
    "opensearch-3.8.0.json.gz",
    "elasticsearch-6.8.23.json.gz",
    "elasticsearch-7.17.28.json.gz",
    "elasticsearch-8.17.0.json.gz",
    "elasticsearch-9.0.0.json.gz"
  };

  private static Snapshot read(String name) {
    try (InputStream in = Recorded.class.getResourceAsStream(name)) {
      assertNotNull(in, name);
      return Bundle.read(name.endsWith(".gz") ? new GZIPInputStream(in) : in, name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
