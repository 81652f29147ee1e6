package io.millrace.bench.workload;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Map;

/**
 * A mapping storm: every document brings a field nobody has seen. 30 bulks of 30 documents stay
 * below the limit of 1,000 fields per index.
 */
public final class StormDocuments implements Iterator<Document> {
  public static final int BULKS = 30;
  public static final int PER_BULK = 30;

  private long number;

  /** Only the unique number is declared; all else comes by dynamic mapping. */
  public static Map<String, Object> mapping() {
    return Map.of("properties", Map.of("number", Map.of("type", "long")));
  }

  @Override
  public boolean hasNext() {
    return true;
  }

  @Override
  public Document next() {
    String json =
        "{\"number\":" + number + ",\"field_" + number + "\":" + (number * 7919 % 100_003) + "}";
    number++;
    return new Document(null, json.getBytes(StandardCharsets.UTF_8));
  }
}
