package io.millrace.cli.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace pipeline kafka create}: an index with one shard for each partition. */
@Command(
    name = "create",
    description = "Make an index that reads a topic: one shard for each partition.")
final class CreateCommand extends KafkaCommand {
  /** Records of all partitions whose fields are looked at. */
  private static final int SAMPLE = 1000;

  private static final String PLUGIN = "ingestion-kafka";

  /** What the plugin or this command sets; another value would break or bypass it. */
  private static final Map<String, String> OWN =
      Map.of(
          "bootstrap.servers", "--bootstrap",
          "group.id", "--group",
          "enable.auto.commit", "--group",
          "max.poll.records", "index.ingestion_source.poll.max_batch_size",
          "topic", "--topic",
          "bootstrap_servers", "--bootstrap");

  private static final Set<String> FIXED =
      Set.of("key.deserializer", "value.deserializer", "client.id", "group.instance.id");

  @Option(
      names = "--topic",
      required = true,
      paramLabel = "TOPIC",
      description = "whose records are documents in JSON, one each")
  private String topic = "";

  @Option(
      names = "--bootstrap",
      required = true,
      split = ",",
      paramLabel = "HOST:PORT",
      description = "brokers, as the nodes reach them")
  private List<String> bootstrap = List.of();

  @Option(
      names = "--id-field",
      paramLabel = "FIELD",
      description =
          "top-level field that is the document's id, and leaves its source: a record that was"
              + " produced twice is there once (default: partition and offset)")
  private @Nullable String idField;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      description = "commit what was fetched under this group, for the lag tools of Kafka")
  private @Nullable String group;

  @Option(
      names = "--from",
      paramLabel = "earliest|latest|TIME",
      description =
          "where to begin: TIME is 2026-11-23T08:00:00Z or milliseconds (default"
              + " ${DEFAULT-VALUE})")
  private String from = "earliest";

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "of the topic, where it cannot be asked from this machine")
  private @Nullable Integer partitions;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description = "copies of each shard on other nodes (default ${DEFAULT-VALUE})")
  private int replicas;

  @Option(
      names = "--profile",
      paramLabel = "logs|traces",
      description = "what the documents are (default ${DEFAULT-VALUE})")
  private String profile = "logs";

  @Option(
      names = "--on-error",
      paramLabel = "block|drop",
      description =
          "a record that cannot be indexed stops its shard, or is counted and left out (default"
              + " block)")
  private OnError onError = OnError.BLOCK;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "that index, for each shard (default ${DEFAULT-VALUE})")
  private int threads = 1;

  @Parameters(
      arity = "0..*",
      paramLabel = "KEY=VALUE",
      description =
          "after --: settings of Kafka's consumer, such as security.protocol=SSL; they are readable"
              + " in the settings of the index")
  private List<String> extra = new ArrayList<>();

  private final Map<String, String> consumer = new LinkedHashMap<>();

  @Override
  void check() {
    if (!topic.matches("[A-Za-z0-9._-]{1,249}") || topic.matches("\\.{1,2}")) {
      throw usage("--topic " + topic + " is no name of a topic", "Letters, digits, '.', '_', '-'.");
    }
    for (String broker : bootstrap) {
      if (!broker.matches("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+):\\d{1,5}")
          || port(broker) < 1
          || port(broker) > 65_535) {
        throw usage("--bootstrap " + broker + " is no HOST:PORT", "Such as broker-1:9092.");
      }
    }
    between("--partitions", partitions == null ? 1 : partitions, 1, 1024);
    between("--replicas", replicas, 0, 10);
    between("--threads", threads, 1, 32);
    if (!profile.equals("logs") && !profile.equals("traces")) {
      throw usage("--profile " + profile + " is none for a stream", "Give logs or traces.");
    }
    if (idField != null && !idField.matches("[^.\\s]+")) {
      throw usage(
          "--id-field " + idField + " is no top-level field", "Give its name, without dots.");
    }
    start();
    for (String each : extra) {
      add(each);
    }
  }

  private static int port(String broker) {
    return Integer.parseInt(broker.substring(broker.lastIndexOf(':') + 1));
  }

  private static void between(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw usage(option + " " + value + " is not possible", "Give " + least + " to " + most + ".");
    }
  }

  private void add(String setting) {
    int equals = setting.indexOf('=');
    String key = equals < 1 ? setting : setting.substring(0, equals);
    if (equals < 1) {
      throw usage(
          setting + " is no setting of a consumer", "Give KEY=VALUE, such as fetch.min.bytes=1.");
    }
    if (OWN.containsKey(key)) {
      throw usage(key + " is not set here", "It is " + OWN.get(key) + ".");
    }
    if (FIXED.contains(key)) {
      throw usage(key + " cannot be set", "The plugin needs its own; leave it out.");
    }
    consumer.put(key, setting.substring(equals + 1));
  }

  /** The time of {@code --from}; null for a word. */
  private @Nullable Instant start() {
    if (from.equals("earliest") || from.equals("latest")) {
      return null;
    }
    try {
      return from.matches("\\d{1,15}")
          ? Instant.ofEpochMilli(Long.parseLong(from))
          : Instant.parse(from);
    } catch (DateTimeException e) {
      throw usage(
          "--from " + from + " is neither a word nor a time",
          "Give earliest, latest, 2026-11-23T08:00:00Z (with its zone) or milliseconds.");
    }
  }

  @Override
  int run(ClusterClient client) throws InterruptedException {
    requirePlugin(client);
    Topic asked = new Topic(topic, String.join(",", bootstrap), consumer);
    int shards = partitions == null ? partitions(asked) : partitions;
    Instant time = start();
    TopicSource source =
        new TopicSource(
            topic,
            String.join(",", bootstrap),
            shards,
            replicas,
            profile,
            time == null ? from : Long.toString(time.toEpochMilli()),
            idField,
            group,
            onError,
            threads,
            consumer);
    List<String> records = partitions == null ? asked.last(shards, SAMPLE) : List.of();
    ObjectNode mapping = TopicFields.of(client, index(), profile, records);
    ObjectNode body = source.body();
    body.set("mappings", mapping);
    ask(client, "PUT", "", body);
    say(
        index()
            + " reads topic "
            + topic
            + ": "
            + shards
            + (shards == 1 ? " partition, 1 shard" : " partitions, as many shards")
            + ", profile "
            + profile
            + ", from "
            + from);
    say(
        "  "
            + TopicFields.count(mapping)
            + " fields, from its last "
            + records.size()
            + " records");
    if (records.isEmpty()) {
      terminal()
          .note(
              "no record was seen, so only the fields of templates can be searched; add others:"
                  + " PUT /"
                  + index()
                  + "/_mapping");
    }
    if (consumer.keySet().stream().anyMatch(key -> key.matches(".*(password|jaas).*"))) {
      terminal().note("who may read the settings of " + index() + " reads the password there");
    }
    say("  millrace pipeline kafka status --index " + index());
    return ExitCode.OK;
  }

  private int partitions(Topic asked) throws InterruptedException {
    Topic.Shape shape = asked.shape(start());
    if (!shape.withoutRecordsSince().isEmpty()) {
      throw usage(
          "--from "
              + from
              + " is later than every record of partition "
              + shape.withoutRecordsSince()
              + ", so no offset belongs to it",
          "Give an earlier time, or latest.");
    }
    return shape.partitions();
  }

  /** Every node that may get a shard needs the plugin. */
  private static void requirePlugin(ClusterClient client) {
    JsonNode nodes = require(client, client.call("GET", "/_nodes/plugins", null)).path("nodes");
    Set<String> without = new TreeSet<>();
    for (JsonNode node : nodes) {
      if (node.path("plugins").findValuesAsText("name").stream().noneMatch(PLUGIN::equals)) {
        without.add(node.path("name").asText());
      }
    }
    if (!without.isEmpty()) {
      throw new ExpectedFailure(
          ExitCode.CLUSTER,
          "without the plugin " + PLUGIN + ": " + String.join(", ", without),
          "millrace down, then millrace up --plugin kafka; on other nodes cp -r"
              + " optional/ingestion-kafka plugins/, and start them again.");
    }
  }
}
