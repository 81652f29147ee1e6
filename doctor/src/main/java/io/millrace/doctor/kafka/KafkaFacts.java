package io.millrace.doctor.kafka;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.logfile.TextFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Producer and consumer properties and the lag of consumer groups.
 *
 * <p>Why files and no broker: a broker asks for credentials and a client library of its version;
 * its own {@code kafka-consumer-groups.sh --describe} has both, and its output is one redirection
 * away.
 *
 * @param clients properties by file name
 * @param lags one row per partition
 */
public record KafkaFacts(Map<String, Properties> clients, List<Lag> lags) {
  /**
   * One partition of one group.
   *
   * @param lag records behind
   */
  public record Lag(String group, String topic, int partition, long lag) {}

  public KafkaFacts {
    clients = Map.copyOf(clients);
    lags = List.copyOf(lags);
  }

  /** The same figures with numbered names of files, groups and topics. */
  public KafkaFacts anonymised() {
    Map<String, Properties> files = new LinkedHashMap<>();
    new TreeMap<>(clients)
        .values()
        .forEach(file -> files.put("client-" + (files.size() + 1) + ".properties", file));
    Map<String, String> names = new HashMap<>();
    return new KafkaFacts(
        files,
        lags.stream()
            .map(lag ->
                new Lag(
                    names.computeIfAbsent("g " + lag.group(), n -> "group-" + (names.size() + 1)),
                    names.computeIfAbsent("t " + lag.topic(), n -> "topic-" + (names.size() + 1)),
                    lag.partition(),
                    lag.lag()))
            .toList());
  }

  /**
   * @param propertyFiles {@code producer.properties}, {@code consumer.properties}, SkyWalking's or
   *     a shipper's
   * @param describeFiles output of {@code kafka-consumer-groups.sh --describe}
   * @throws ExpectedFailure naming the file that cannot be read or holds no lag
   */
  public static KafkaFacts read(List<Path> propertyFiles, List<Path> describeFiles) {
    Map<String, Properties> clients = new LinkedHashMap<>();
    for (Path file : propertyFiles) {
      Properties properties = new Properties();
      try (BufferedReader in = TextFile.open(file)) {
        properties.load(in);
      } catch (IOException e) {
        throw TextFile.unreadable(file, e);
      } catch (IllegalArgumentException e) {
        throw new ExpectedFailure(
            ExitCode.INPUT, file + " holds no properties: " + e.getMessage(), null, e);
      }
      clients.put(file.toString(), properties);
    }
    List<Lag> lags = new ArrayList<>();
    for (Path file : describeFiles) {
      int before = lags.size();
      try (BufferedReader in = TextFile.open(file)) {
        lags(in, lags);
      } catch (IOException e) {
        throw TextFile.unreadable(file, e);
      }
      if (lags.size() == before) {
        throw new ExpectedFailure(
            ExitCode.INPUT,
            file + " holds no row with GROUP, TOPIC, PARTITION and LAG",
            "Give the output of 'kafka-consumer-groups.sh --bootstrap-server HOST:PORT --describe --all-groups'.");
      }
    }
    return new KafkaFacts(clients, lags);
  }

  /** The table has a header that says which column is which; versions of Kafka differ in them. */
  private static void lags(BufferedReader in, List<Lag> to) throws IOException {
    List<String> head = List.of();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      List<String> words = List.of(line.strip().split("\\s+"));
      if (words.contains("TOPIC") && words.contains("LAG")) {
        head = words;
        continue;
      }
      int lag = head.indexOf("LAG");
      int partition = head.indexOf("PARTITION");
      if (lag < 0
          || partition < 0
          || words.size() <= lag
          || !words.get(lag).matches("\\d{1,18}")
          || !words.get(partition).matches("\\d{1,9}")) {
        continue;
      }
      int group = head.indexOf("GROUP");
      to.add(
          new Lag(
              group < 0 ? "" : words.get(group),
              words.get(head.indexOf("TOPIC")),
              Integer.parseInt(words.get(partition)),
              Long.parseLong(words.get(lag))));
    }
  }
}
