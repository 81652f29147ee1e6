package io.millrace.doctor.snapshot;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Which server answers, and its version, from {@code GET /}.
 *
 * @param opensearch false for Elasticsearch
 */
public record Product(boolean opensearch, int major, int minor, int patch, String number) {
  /** Of an answer to {@code GET /}; numbers that are missing count as 0. */
  public static Product of(JsonNode root) {
    String number = root.path("version").path("number").asText("0.0.0");
    // OpenSearch 1.x calls itself 7.10.2 where compatibility.override_main_response_version is set
    boolean opensearch =
        root.path("version").path("distribution").asText("").equals("opensearch")
            || root.path("tagline").asText("").contains("OpenSearch");
    String[] parts = number.split("[.-]");
    return new Product(opensearch, part(parts, 0), part(parts, 1), part(parts, 2), number);
  }

  private static int part(String[] parts, int i) {
    return i < parts.length && parts[i].matches("\\d{1,6}") ? Integer.parseInt(parts[i]) : 0;
  }

  /** Whether this is Elasticsearch below a version. */
  public boolean elasticsearchBefore(int major, int minor, int patch) {
    return !opensearch && before(major, minor, patch);
  }

  /** Whether this is OpenSearch below a version. */
  public boolean opensearchBefore(int major, int minor, int patch) {
    return opensearch && before(major, minor, patch);
  }

  private boolean before(int otherMajor, int otherMinor, int otherPatch) {
    long own = major * 1_000_000L + minor * 1_000L + patch;
    return own < otherMajor * 1_000_000L + otherMinor * 1_000L + otherPatch;
  }

  /** The name of the file in which a node is configured. */
  public String nodeFile() {
    return opensearch ? "opensearch.yml" : "elasticsearch.yml";
  }

  @Override
  public String toString() {
    return (opensearch ? "OpenSearch " : "Elasticsearch ") + number;
  }
}
