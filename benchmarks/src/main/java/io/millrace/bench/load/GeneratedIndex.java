package io.millrace.bench.load;

import io.millrace.corpus.JsonBuffer;
import io.millrace.corpus.LogGenerator;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Indices of generated log documents, the same ones for the same seed. */
public final class GeneratedIndex {
  private static final int BULK = 2_000;

  private GeneratedIndex() {}

  /**
   * Makes an index and writes documents to it by bulks, one after the other; flushed and refreshed
   * at the end.
   *
   * @param body settings and mappings
   * @throws IllegalStateException with the node's answer, if it refuses a document
   */
  public static void load(
      NodeClient node, String index, Map<String, Object> body, long seed, int documents) {
    node.put("/" + index, body);
    LogGenerator generator = new LogGenerator(seed);
    JsonBuffer lines = new JsonBuffer();
    for (int sent = 0; sent < documents; sent += BULK) {
      lines.clear();
      generator.bulkBody(lines, Math.min(BULK, documents - sent));
      NodeClient.Answer answer =
          node.send("POST", "/" + index + "/_bulk", lines.toByteArray(), "application/x-ndjson");
      if (answer.status() != 200 || answer.json().path("errors").asBoolean(true)) {
        throw new IllegalStateException(new String(answer.body(), StandardCharsets.UTF_8));
      }
    }
    node.post("/" + index + "/_flush");
    node.post("/" + index + "/_refresh");
  }
}
