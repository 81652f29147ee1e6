package io.millrace.cli.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.ClusterClient;
import java.util.List;

/**
 * The mapping of an index that reads a stream. Such an index adds no field to its mapping by itself
 * (MessageProcessorRunnable at 3.8.0 leaves the update of a parsed document aside), so the fields
 * have to be known when it is made. Records of the topic are put into a plain index with the same
 * templates; it lives for the moment in which its mapping is read.
 */
final class TopicFields {
  /** Lucene refuses a longer term, and a character takes up to four bytes. */
  static final int LONGEST = 32_766 / 4;

  private static final ObjectMapper JSON = new ObjectMapper();

  private TopicFields() {}

  /**
   * @param name of the index that is to read the topic; that of the plain one begins with it
   * @return the mapping, with {@code dynamic: false}: a field that it lacks stays in the source
   */
  static ObjectNode of(ClusterClient client, String name, String profile, List<String> records) {
    String plain = name + "-fields-" + Long.toHexString(System.nanoTime());
    ObjectNode settings = JSON.createObjectNode();
    settings
        .putObject("settings")
        .put("index.number_of_shards", 1)
        .put("index.number_of_replicas", 0)
        .put("index.millrace.profile", profile);
    KafkaCommand.require(client, client.call("PUT", '/' + plain, settings.toString()));
    try {
      StringBuilder bulk = new StringBuilder();
      for (String each : records) {
        String line = line(each);
        if (!line.isEmpty()) {
          bulk.append("{\"index\":{}}\n").append(line).append('\n');
        }
      }
      if (!bulk.isEmpty()) {
        KafkaCommand.require(client, client.call("POST", '/' + plain + "/_bulk", bulk.toString()));
      }
      JsonNode found =
          KafkaCommand.require(client, client.call("GET", '/' + plain + "/_mapping", null));
      ObjectNode mapping =
          found.path(plain).path("mappings") instanceof ObjectNode known
              ? known.deepCopy()
              : JSON.createObjectNode();
      mapping.remove("dynamic_templates");
      mapping.put("dynamic", "false");
      bound(mapping);
      return mapping;
    } finally {
      client.call("DELETE", '/' + plain, null);
    }
  }

  /** How many fields have a type, at any depth. */
  static int count(JsonNode mapping) {
    int count = 0;
    for (JsonNode field : mapping.path("properties")) {
      count += field.has("properties") ? count(field) : 1;
    }
    return count;
  }

  /** On one line; empty for what is no object. */
  private static String line(String record) {
    try {
      JsonNode parsed = JSON.readTree(record);
      return parsed instanceof ObjectNode ? parsed.toString() : "";
    } catch (JsonProcessingException e) {
      return "";
    }
  }

  /** The listeners that cut over-long strings stand beside the way of a stream. */
  private static void bound(ObjectNode fields) {
    for (JsonNode field : fields) {
      if (field instanceof ObjectNode object) {
        if (object.path("type").asText().equals("keyword") && !object.has("ignore_above")) {
          object.put("ignore_above", LONGEST);
        }
        bound(object);
      }
    }
  }
}
