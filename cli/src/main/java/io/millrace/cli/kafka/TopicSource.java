package io.millrace.cli.kafka;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings with which an index reads a topic.
 *
 * <p>Kafka's defaults hand a consumer whatever is there at once, in crumbs when producers do not
 * batch. These wait half a second at most for half a megabyte, the size of a well-batched
 * producer's request, and take up to 5000 records from it at once. A shard holds no more than 8 MB
 * of records that it has not looked at: Kafka's 50 MB would count once for every shard of a node.
 *
 * @param start {@code earliest}, {@code latest} or milliseconds since 1970
 * @param idField top-level field that is the id; {@code null} for the record's place in Kafka
 * @param group for Kafka's own tools; the index itself keeps where it is
 * @param extra consumer settings of the user, which win
 */
record TopicSource(
    String topic,
    String bootstrap,
    int partitions,
    int replicas,
    String profile,
    String start,
    @Nullable String idField,
    @Nullable String group,
    OnError onError,
    int threads,
    Map<String, String> extra) {
  private static final Map<String, String> FETCH =
      Map.of(
          "fetch.min.bytes", "524288",
          "fetch.max.wait.ms", "500",
          "max.partition.fetch.bytes", "8388608");

  /** The body of the request that creates the index. */
  ObjectNode body() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ObjectNode settings = body.putObject("settings");
    settings.put("index.number_of_shards", partitions);
    settings.put("index.number_of_replicas", replicas);
    // what an engine that reads a stream can do; the other is that every copy reads for itself
    settings.put("index.replication.type", "SEGMENT");
    settings.put("index.millrace.profile", profile);
    // nothing here tells a search when to refresh: the interval is the promise
    settings.put("index.refresh_interval", "5s");
    // a stream has no translog: after a crash all is read again that came since the last commit
    settings.put("index.periodic_flush_interval", "10s");
    // a stream goes by lenient parsing; this is what the mappers themselves can let pass
    settings.put("index.mapping.ignore_malformed", true);
    source("type", "kafka", settings);
    boolean time = !start.equals("earliest") && !start.equals("latest");
    source("pointer.init.reset", time ? "reset_by_timestamp" : start, settings);
    if (time) {
      source("pointer.init.reset.value", start, settings);
    }
    source("error_strategy", onError.name(), settings);
    source("poll.max_batch_size", "5000", settings);
    source("internal_queue_size", "1000", settings);
    source("num_processor_threads", Integer.toString(threads), settings);
    source("pointer_based_lag_update_interval", "5s", settings);
    if (idField == null) {
      source("mapper_type", "raw_payload", settings);
    } else {
      source("mapper_type", "field_mapping", settings);
      source("mapper_settings.id_field", idField, settings);
    }
    consumer().forEach((key, value) -> source("param." + key, value, settings));
    return body;
  }

  private Map<String, String> consumer() {
    Map<String, String> all = new LinkedHashMap<>(FETCH);
    if (group != null) {
      all.put("group.id", group);
      all.put("enable.auto.commit", "true");
    }
    all.putAll(extra);
    all.put("topic", topic);
    all.put("bootstrap_servers", bootstrap);
    return all;
  }

  private static void source(String key, String value, ObjectNode settings) {
    settings.put(KafkaCommand.SOURCE + key, value);
  }
}
