package io.millrace.cli.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.terminal.ClusterOptions;
import io.millrace.cli.terminal.Terminal;
import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.cluster.ClusterUrls;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One thing to do with the index of a pipeline. */
abstract class KafkaCommand implements Callable<Integer> {
  static final ObjectMapper JSON = new ObjectMapper();

  /** Below {@code /INDEX/_settings}. */
  static final String SOURCE = "index.ingestion_source.";

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = "--index",
      required = true,
      paramLabel = "NAME",
      description = "the index that reads the topic")
  private String index = "";

  @Option(
      names = {"-u", "--url"},
      split = ",",
      paramLabel = "URL",
      description = "nodes to ask (default: $$MILLRACE_URL, else the cluster that runs here)")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--user",
      paramLabel = "NAME:PASSWORD",
      description = "whom to be (default: $$MILLRACE_USER, else the launcher of the nodes here)")
  private @Nullable String user;

  @Override
  public final Integer call() throws InterruptedException {
    if (!index.matches("[^\\s/,*?\"<>|#\\\\:]+") || index.matches("[-_+.].*")) {
      throw usage(
          "--index " + index + " is no name of one index",
          "Give one name in lower case, without wildcards, commas and slashes.");
    }
    check();
    int code;
    try (ClusterClient client =
        new ClusterClient(ClusterOptions.of(ClusterUrls.choose(urls), user))) {
      code = run(client);
    }
    terminal().out().flush();
    return code;
  }

  /** Refuses what is wrong whatever the cluster says. */
  void check() {}

  /** Does it; the exit code. */
  abstract int run(ClusterClient client) throws InterruptedException;

  final String index() {
    return index;
  }

  final Terminal terminal() {
    return new Terminal(spec);
  }

  final void say(String text) {
    terminal().out().println(text);
  }

  static ExpectedFailure usage(String message, @Nullable String remedy) {
    return new ExpectedFailure(ExitCode.USAGE, message, remedy);
  }

  /**
   * Asks below the index.
   *
   * @param path with its slash or question mark
   * @throws ExpectedFailure with what the node says, unless it did what was asked
   */
  final ObjectNode ask(ClusterClient client, String method, String path, @Nullable JsonNode body) {
    Answer answer =
        client.call(
            method,
            '/' + URLEncoder.encode(index, StandardCharsets.UTF_8) + path,
            body == null ? null : body.toString());
    if (answer.status() == 404) {
      throw refused(client, answer, "millrace pipeline kafka create makes one.");
    }
    return require(client, answer);
  }

  /**
   * What a node answered.
   *
   * @throws ExpectedFailure with what the node says, unless it did what was asked
   */
  static ObjectNode require(ClusterClient client, Answer answer) {
    if (answer.status() / 100 == 2 && answer.json() instanceof ObjectNode object) {
      return object;
    }
    String remedy =
        switch (answer.status()) {
          case 401 -> "Give --user NAME:PASSWORD, or set MILLRACE_USER to that.";
          case 403 -> "Ask as somebody with the privilege manage on the index.";
          default -> null;
        };
    throw refused(client, answer, remedy);
  }

  private static ExpectedFailure refused(
      ClusterClient client, Answer answer, @Nullable String remedy) {
    return new ExpectedFailure(
        answer.status() == 404 || answer.status() == 400 ? ExitCode.USAGE : ExitCode.CLUSTER,
        client.given() + ": HTTP " + answer.status() + " " + answer.reason(),
        remedy);
  }

  /**
   * The settings of the index, by their whole names.
   *
   * @throws ExpectedFailure when it reads no topic of Kafka
   */
  final JsonNode settings(ClusterClient client) {
    JsonNode all = ask(client, "GET", "/_settings?flat_settings=true", null);
    JsonNode settings = all.path(index).path("settings");
    if (!settings.path(SOURCE + "type").asText().equalsIgnoreCase("kafka")) {
      throw usage(
          "--index " + index + " reads no topic of Kafka",
          all.has(index) ? null : "It is an alias or a data stream; name its index.");
    }
    return settings;
  }
}
