package io.millrace.cli.kafka;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * What a broker says about a topic, asked from the machine of the command line. The client is that
 * of the plugin, in {@code optional/} of the distribution.
 */
final class Topic {
  private static final int SECONDS = 10;

  private final String name;
  private final Map<String, Object> options;

  /**
   * @param bootstrap {@code host:port}, several separated by commas
   * @param options of a consumer, such as those of TLS and SASL; what no admin client knows is left
   *     out
   */
  Topic(String name, String bootstrap, Map<String, String> options) {
    this.name = name;
    this.options = new HashMap<>();
    options.forEach((key, value) -> {
      if (AdminClientConfig.configNames().contains(key)) {
        this.options.put(key, value);
      }
    });
    this.options.put("bootstrap.servers", bootstrap);
    this.options.put("default.api.timeout.ms", SECONDS * 1000);
    this.options.put("request.timeout.ms", SECONDS * 1000 / 2);
  }

  /**
   * Partitions, and whether each of them has a record of this time or later.
   *
   * @param from {@code null} to leave the second out
   */
  record Shape(int partitions, List<Integer> withoutRecordsSince) {}

  /**
   * @throws ExpectedFailure when the topic does not exist, or no broker answers
   */
  Shape shape(@Nullable Instant from) throws InterruptedException {
    // the client logs; nobody reads it here
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    try (Admin admin = Admin.create(options)) {
      int partitions =
          admin
              .describeTopics(List.of(name))
              .allTopicNames()
              .get(SECONDS, TimeUnit.SECONDS)
              .values()
              .iterator()
              .next()
              .partitions()
              .size();
      return new Shape(
          partitions, from == null ? List.of() : withoutRecords(admin, partitions, from));
    } catch (ExecutionException e) {
      throw failure(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException | KafkaException e) {
      throw failure(e);
    }
  }

  private List<Integer> withoutRecords(Admin admin, int partitions, Instant from)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<TopicPartition, OffsetSpec> asked = new LinkedHashMap<>();
    for (int i = 0; i < partitions; i++) {
      asked.put(new TopicPartition(name, i), OffsetSpec.forTimestamp(from.toEpochMilli()));
    }
    Map<TopicPartition, ListOffsetsResultInfo> found =
        admin.listOffsets(asked).all().get(SECONDS, TimeUnit.SECONDS);
    return IntStream.range(0, partitions)
        .boxed()
        .filter(i -> {
          ListOffsetsResultInfo first = found.get(new TopicPartition(name, i));
          return first == null || first.offset() < 0;
        })
        .toList();
  }

  /**
   * The last records of each partition.
   *
   * @param most of all partitions together
   * @throws ExpectedFailure when no broker answers
   */
  List<String> last(int partitions, int most) {
    Map<String, Object> consumer = new HashMap<>(options);
    consumer.put("max.poll.records", most);
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(i -> new TopicPartition(name, i)).toList();
    List<String> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> reader =
        new KafkaConsumer<>(consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      reader.assign(all);
      Map<TopicPartition, Long> first = reader.beginningOffsets(all);
      Map<TopicPartition, Long> end = reader.endOffsets(all);
      long left = 0;
      for (TopicPartition each : all) {
        long from = Math.max(first.getOrDefault(each, 0L), end.getOrDefault(each, 0L) - most);
        reader.seek(each, from);
        left += end.getOrDefault(each, 0L) - from;
      }
      long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      while (records.size() < Math.min(most, left) && System.nanoTime() < limit) {
        reader
            .poll(Duration.ofMillis(500))
            .forEach(record -> {
              if (record.value() != null) {
                records.add(new String(record.value(), StandardCharsets.UTF_8));
              }
            });
      }
      return records;
    } catch (KafkaException e) {
      throw failure(e);
    }
  }

  private ExpectedFailure failure(Throwable e) {
    if (e instanceof UnknownTopicOrPartitionException) {
      return new ExpectedFailure(
          ExitCode.USAGE,
          "--topic " + name + ": the brokers have no such topic",
          "Make it first; the number of its partitions is the number of shards.");
    }
    Throwable first = e;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    String what =
        first.getMessage() == null ? first.getClass().getSimpleName() : first.getMessage();
    return new ExpectedFailure(
        ExitCode.NOT_RUNNING,
        "--bootstrap " + options.get("bootstrap.servers") + " gives no answer: " + what,
        "If only the nodes reach the brokers, give --partitions N: then nothing is asked from here.");
  }
}
