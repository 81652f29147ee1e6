package io.millrace.bench.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bench.answers.Asker;
import io.millrace.bench.answers.MessageSearches;
import io.millrace.bench.answers.Query;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.load.GeneratedIndex;
import io.millrace.bench.load.NodeClient;
import io.millrace.bench.os.ThreadCpu;
import io.millrace.bench.scenario.Side;
import io.millrace.corpus.Mappings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What searches cost on a message field of the types {@code text}, {@code match_only_text} and
 * {@code log_text}: indices of the same documents, merged to one segment, in one node of a tree as
 * it is shipped, under the profile {@code logs}, without the query cache. The types take turns with
 * each class of searches. CPU is that of the node's process, without its compilers. {@code
 * match_only_text} has the analyzers of {@code log_text}, and both must give the same answers;
 * {@code text} is there with its own analyzer, which finds other documents, and with those. In
 * brackets stands what {@code log_text} costs of a type.
 *
 * <p>Arguments: {@code TREE WORK DOCUMENTS ROUNDS EACH [CLASS,..]}: an assembled tree, a folder for
 * the node that does not exist yet and is deleted, documents of an index, turns of each type, and
 * searches of a class. With classes, each class alone is asked, and the instants of its turns are
 * printed, for {@code ProfileMain}.
 */
public final class MessageFieldsMain {
  private static final int PORT = 19880;
  private static final String HEAP = "2g";
  private static final long SEED = 7;
  private static final double COMPILING = 0.1;
  private static final int WARM_ROUNDS = 12;

  private static final Map<String, Map<String, Object>> FIELDS = new LinkedHashMap<>();

  static {
    FIELDS.put("text", Map.of("type", "text"));
    FIELDS.put("text, log analyzer", logAnalyzed("text"));
    FIELDS.put("match_only_text", logAnalyzed("match_only_text"));
    FIELDS.put("log_text", Map.of("type", "log_text"));
  }

  private static Map<String, Object> logAnalyzed(String type) {
    return Map.of(
        "type",
        type,
        "analyzer",
        "millrace_log_words",
        "search_analyzer",
        "millrace_log_search",
        "search_quote_analyzer",
        "millrace_log_parts");
  }

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private final NodeClient node;
  private final long pid;

  private MessageFieldsMain(NodeClient node, long pid) {
    this.node = node;
    this.pid = pid;
  }

  public static void main(String[] args) throws IOException {
    if (args.length != 5 && args.length != 6) {
      System.err.println("usage: TREE WORK DOCUMENTS ROUNDS EACH [CLASS,..]");
      System.exit(2);
    }
    Path tree = Path.of(args[0]).toAbsolutePath();
    Path work = Path.of(args[1]).toAbsolutePath();
    if (Files.exists(work)) {
      throw new IllegalArgumentException(work + " exists; name a folder that does not");
    }
    try (BenchNode server =
            new TreeNodes(tree, tree, HEAP, PORT)
                .start(Side.millrace("message fields").asShipped(), work);
        NodeClient client = new NodeClient(server.uri())) {
      MessageFieldsMain run = new MessageFieldsMain(client, server.pid());
      run.load(Integer.parseInt(args[2]));
      List<String> only = args.length == 6 ? List.of(args[5].split(",")) : List.of();
      run.measure(Integer.parseInt(args[3]), Integer.parseInt(args[4]), only);
    } finally {
      NodeHomes.delete(work);
    }
  }

  private static String index(String type) {
    return "message-" + type.replaceAll("[^a-z_]+", "-");
  }

  private void load(int documents) {
    for (Map.Entry<String, Map<String, Object>> field : FIELDS.entrySet()) {
      JsonNode mappings =
          BenchJson.parse(Mappings.LOGS.body().getBytes(StandardCharsets.UTF_8)).path("mappings");
      ((ObjectNode) mappings.path("properties"))
          .set("message", BenchJson.mapper().valueToTree(field.getValue()));
      String index = index(field.getKey());
      Map<String, Object> settings =
          Map.of(
              "index.millrace.profile",
              "logs",
              "index.queries.cache.enabled",
              false,
              "number_of_shards",
              1,
              "number_of_replicas",
              0);
      GeneratedIndex.load(
          node, index, Map.of("settings", settings, "mappings", mappings), SEED, documents);
      node.post("/" + index + "/_forcemerge?max_num_segments=1");
      node.post("/" + index + "/_refresh");
      JsonNode primaries = node.get("/" + index + "/_stats/store").path("_all").path("primaries");
      out.printf(
          Locale.ROOT,
          "%s: %d documents, %.1f bytes a document%n",
          field.getKey(),
          documents,
          primaries.path("store").path("size_in_bytes").asDouble() / documents);
    }
  }

  private void measure(int rounds, int each, List<String> only) throws IOException {
    JsonNode sampled =
        node.post(
            "/" + index("text") + "/_search",
            Map.of("size", 2000, "sort", List.of(Map.of("trace_id", "asc"))));
    Map<String, List<Query>> classes =
        new MessageSearches(MessageSearches.messages(sampled), SEED).byClass(each);
    if (!only.isEmpty()) {
      classes.keySet().retainAll(only);
    }
    out.println("| class | " + String.join(", ms | ", FIELDS.keySet()) + ", ms | answers |");
    out.println("|---".repeat(FIELDS.size() + 2) + "|");
    for (Map.Entry<String, List<Query>> one : classes.entrySet()) {
      row(one.getKey(), one.getValue(), rounds, !only.isEmpty());
    }
  }

  private void row(String name, List<Query> queries, int rounds, boolean tellTimes)
      throws IOException {
    List<String> types = new ArrayList<>(FIELDS.keySet());
    types.removeIf(type -> refuses(queries, type));
    for (String type : types) {
      warm(queries, type);
    }
    Map<String, Double> cpu = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (int turn = 0; turn < types.size(); turn++) {
        String type = types.get((turn + round) % types.size());
        Instant from = Instant.now();
        cpu.merge(type, ask(queries, type).queries, Double::sum);
        if (tellTimes) {
          out.println(type + ": " + from + " " + Instant.now());
        }
      }
    }
    double searches = Math.max(1.0, (double) rounds * queries.size());
    double own = cpu.getOrDefault("log_text", Double.NaN);
    StringBuilder row = new StringBuilder("| " + name);
    for (String type : FIELDS.keySet()) {
      Double millis = cpu.get(type);
      row.append(
          millis == null
              ? " | refused"
              : String.format(Locale.ROOT, " | %.2f (%.2f x)", millis / searches, own / millis));
    }
    out.println(row + " | " + different(queries) + " of " + queries.size() + " differ |");
  }

  /** Whether a type answers one of the searches with an error. */
  private boolean refuses(List<Query> queries, String type) {
    for (Query query : queries) {
      NodeClient.Answer answer =
          node.send("POST", "/" + index(type) + "/_search", query.body(), "application/json");
      if (answer.status() != 200) {
        out.println(type + " refused " + text(query.body()) + ": " + text(answer.body()));
        return true;
      }
    }
    return false;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Until the compilers take little. */
  private void warm(List<Query> queries, String type) throws IOException {
    for (int i = 0; i < WARM_ROUNDS; i++) {
      Cpu took = ask(queries, type);
      if (i > 1 && took.compilers < COMPILING * (took.queries + took.compilers)) {
        return;
      }
    }
  }

  private record Cpu(double queries, double compilers) {}

  /** Milliseconds of CPU. */
  private Cpu ask(List<Query> queries, String type) throws IOException {
    Asker asker = new Asker(node, index(type));
    ThreadCpu before = ThreadCpu.of(pid);
    queries.forEach(asker::timed);
    ThreadCpu now = ThreadCpu.of(pid);
    return new Cpu(now.nanosSince(before) / 1e6, now.compilerNanosSince(before) / 1e6);
  }

  private int different(List<Query> queries) {
    Asker reference = new Asker(node, index("match_only_text"));
    Asker asked = new Asker(node, index("log_text"));
    int different = 0;
    for (Query query : queries) {
      List<Query> one = List.of(query);
      if (refuses(one, "match_only_text")) {
        continue;
      }
      if (!reference.answers(one, 1, false).equals(asked.answers(one, 1, false))) {
        different++;
        out.println("other answers: " + text(query.body()));
      }
    }
    return different;
  }
}
