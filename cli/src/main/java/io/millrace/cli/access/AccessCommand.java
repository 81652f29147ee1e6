package io.millrace.cli.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.terminal.ClusterOptions;
import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.cluster.ClusterUrls;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One request about users, roles or keys, and its answer in a few lines. */
abstract class AccessCommand implements Callable<Integer> {
  static final ObjectMapper JSON = new ObjectMapper();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

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
  public final Integer call() throws IOException {
    try (ClusterClient client =
        new ClusterClient(ClusterOptions.of(ClusterUrls.choose(urls), user))) {
      run(client);
    }
    out().flush();
    return ExitCode.OK;
  }

  abstract void run(ClusterClient client) throws IOException;

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /**
   * Asks under {@code /_millrace/access}.
   *
   * @param path below it, with its slash
   * @throws ExpectedFailure with what the node says, unless it did what was asked
   */
  static ObjectNode ask(ClusterClient client, String method, String path, @Nullable JsonNode body) {
    Answer answer =
        client.call(method, "/_millrace/access" + path, body == null ? null : body.toString());
    int status = answer.status();
    if (status / 100 == 2 && answer.json() instanceof ObjectNode object) {
      return object;
    }
    String remedy =
        switch (status) {
          case 401 -> "Give --user NAME:PASSWORD, or set MILLRACE_USER to that.";
          case 403 -> "Ask as somebody with role superuser, such as an operator.";
          case 404 -> null;
          case 429 -> "Wait as long as it says.";
          default -> status / 100 == 4 ? null : "Is access on there, and is Millrace installed?";
        };
    throw new ExpectedFailure(
        status == 400 || status == 404 ? ExitCode.USAGE : ExitCode.CLUSTER,
        client.given() + ": HTTP " + status + " " + answer.reason(),
        remedy);
  }

  /** A name as one step of a path. */
  static String step(String name) {
    return '/' + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  static ArrayNode list(List<String> values) {
    ArrayNode list = JSON.createArrayNode();
    values.forEach(list::add);
    return list;
  }

  /** One line per entry: its name and what {@code shown} says of it. */
  final void table(JsonNode entries, Function<JsonNode, String> shown) {
    int width = 0;
    for (Iterator<String> names = entries.fieldNames(); names.hasNext(); ) {
      width = Math.max(width, names.next().length());
    }
    for (Iterator<Map.Entry<String, JsonNode>> all = entries.fields(); all.hasNext(); ) {
      Map.Entry<String, JsonNode> each = all.next();
      out()
          .println(
              each.getKey()
                  + " ".repeat(width - each.getKey().length() + 2)
                  + shown.apply(each.getValue()));
    }
  }

  static String joined(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.asText()));
    return texts.isEmpty() ? "-" : String.join(",", texts);
  }
}
