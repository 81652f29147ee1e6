package io.millrace.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.ingest.GeneratedLoad;
import io.millrace.cli.ingest.LoaderOptions;
import io.millrace.cli.ingest.TargetIndex;
import io.millrace.cli.terminal.ClusterOptions;
import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.corpus.DocumentSource;
import io.millrace.corpus.LogGenerator;
import io.millrace.corpus.Mappings;
import io.millrace.corpus.RealLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The first five minutes with a node: streams logs in (generated, or real lines with {@code
 * --corpus}), says what they cost, asks three questions that people ask of logs, shows the answers
 * with the commands that gave them, and says where to look next.
 *
 * <p>The documents' times end at about now, so that "the last 15 minutes" finds them. A second run
 * finds the documents there and only asks, unless they have become older than the questions.
 */
public final class Demo {
  /** The index the demo writes to. */
  public static final String INDEX = "logs-demo";

  private static final long WINDOW_MILLIS = 30 * 60_000L;

  /**
   * What can be chosen.
   *
   * @param urls nodes to talk to
   * @param corpus folder of real {@code *.log} files, or null for the generator
   * @param documents documents to load
   * @param maxSeconds stop loading after this many seconds
   * @param compare whether a stock node loads the same beside it
   */
  public record Options(
      List<String> urls, @Nullable Path corpus, long documents, int maxSeconds, boolean compare) {
    /** Generated logs, 200,000 of them or 60 seconds. */
    public static Options defaults(String url) {
      return new Options(List.of(url), null, 200_000, 60, false);
    }
  }

  private final Options options;
  private final PrintWriter out;
  private final PrintWriter err;
  private final ClusterClient cluster;

  /**
   * @param out answers go here
   * @param err progress and warnings go here
   */
  public Demo(Options options, PrintWriter out, PrintWriter err) {
    this.options = options;
    this.out = out;
    this.err = err;
    this.cluster = new ClusterClient(ClusterOptions.of(options.urls(), null));
  }

  /**
   * Runs the demo.
   *
   * @return the exit code
   * @throws ExpectedFailure when the cluster cannot be used or the corpus cannot be read
   */
  public int run() {
    cluster.check();
    cluster.sniff(ClusterOptions.notes(err));
    long recent = recentDocuments();
    if (recent > 0 && options.compare()) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "--compare loads both nodes, and " + INDEX + " holds documents",
          "Delete it: curl -XDELETE " + cluster.first() + "/" + INDEX);
    }
    if (recent > 0) {
      out.printf(
          Locale.ROOT, "%s holds %,d recent demo documents: nothing to load.%n", INDEX, recent);
    } else {
      load();
    }
    errorsByService();
    exactRequest();
    latencyOverTime();
    whereNext();
    out.flush();
    return ExitCode.OK;
  }

  private long recentDocuments() {
    Answer answer =
        cluster.call(
            "POST",
            "/" + INDEX + "/_count?ignore_unavailable=true",
            "{\"query\":{\"range\":{\"@timestamp\":{\"gte\":\"now-15m\"}}}}");
    JsonNode json = answer.json();
    return json == null ? 0 : json.path("count").asLong();
  }

  private void load() {
    out.printf(
        Locale.ROOT,
        "Streaming %,d %s log documents into %s (at most %d s) ...%n",
        options.documents(),
        options.corpus() == null ? "generated" : "real",
        INDEX,
        options.maxSeconds());
    out.flush();
    // the gap is chosen so that all documents fill the half hour before now
    int gap = (int) Math.max(1, WINDOW_MILLIS / Math.max(1, options.documents()));
    long start = System.currentTimeMillis() - gap * options.documents();
    Cost cost =
        Cost.of(
            cluster,
            INDEX,
            () -> {
              new TargetIndex(cluster, INDEX)
                  .createOnTemplateOr(Mappings.LOGS.body(), "See the node's log.");
              out.println(
                  stream(cluster, start, gap, options.documents(), options.maxSeconds())
                      .summary(INDEX));
              out.flush();
            });
    whatItCost(cost, start, gap);
  }

  private GeneratedLoad.Result stream(
      ClusterClient to, long start, int gap, long documents, int seconds) {
    GeneratedLoad.Result result =
        GeneratedLoad.run(
            to, LoaderOptions.defaults(INDEX), source(start, gap), documents, seconds, err);
    to.call("POST", "/" + INDEX + "/_refresh", "");
    return result;
  }

  private void whatItCost(Cost cost, long start, int gap) {
    if (cost.bytes() == 0) {
      return; // nobody said
    }
    out.println();
    out.println("# What did they cost?");
    out.println("-> Millrace: " + cost.text());
    if (!options.compare()) {
      out.println("   stock beside it, in a fresh run: ./millrace up --demo --compare");
      return;
    }
    out.flush();
    err.println("starting a stock node for the comparison; it is removed afterwards");
    err.flush();
    try (StockNode stock = StockNode.start()) {
      ClusterClient other = new ClusterClient(ClusterOptions.of(List.of(stock.url()), null));
      long documents = count(cluster);
      // its defaults: the first document creates the index; as many documents, whatever time it
      // takes
      Cost beside =
          Cost.of(
              other,
              INDEX,
              () -> stream(other, start, gap, documents, Math.max(3_600, options.maxSeconds())));
      long loaded = count(other);
      if (loaded != documents) {
        throw new ExpectedFailure(
            ExitCode.FAILED,
            String.format(
                Locale.ROOT,
                "the stock node took %,d of %,d documents, so the two cannot be compared",
                loaded,
                documents),
            "Try fewer: millrace demo --compare --docs 20000, after deleting " + INDEX + ".");
      }
      out.println("   stock:    " + beside.text());
      out.println("   Millrace takes " + cost.beside(beside));
    } catch (IOException e) {
      throw new ExpectedFailure(
          ExitCode.FAILED, "the stock node: " + e.getMessage(), "Leave out --compare.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static long count(ClusterClient on) {
    JsonNode answer = on.call("GET", "/" + INDEX + "/_count", null).json();
    return answer == null ? 0 : answer.path("count").asLong();
  }

  private DocumentSource source(long start, int gap) {
    LogGenerator.Options logs =
        LogGenerator.Options.defaults().startingAt(start).withMeanGapMillis(gap);
    if (options.corpus() == null) {
      return new LogGenerator(start, logs);
    }
    try {
      return new RealLines(start, logs, options.corpus(), RealLines.DEFAULT_MAX_BYTES);
    } catch (IOException e) {
      throw new ExpectedFailure(
          ExitCode.USAGE, String.valueOf(e.getMessage()), "Name a folder of *.log files.", e);
    }
  }

  private void errorsByService() {
    JsonNode answer =
        ask(
            "Which services had errors in the last 15 minutes?",
            "{\"size\":0,\"track_total_hits\":true,\"query\":{\"bool\":{\"filter\":["
                + "{\"term\":{\"level\":\"ERROR\"}},"
                + "{\"range\":{\"@timestamp\":{\"gte\":\"now-15m\"}}}]}},"
                + "\"aggs\":{\"services\":{\"terms\":{\"field\":\"service\",\"size\":5}}}}");
    StringBuilder line = new StringBuilder();
    for (JsonNode bucket : answer.path("aggregations").path("services").path("buckets")) {
      line.append(line.isEmpty() ? "" : ", ").append(bucket.path("key").asText());
      line.append(String.format(Locale.ROOT, " %,d", bucket.path("doc_count").asLong()));
    }
    answered(answer, total(answer) + " errors: " + (line.isEmpty() ? "none" : line));
  }

  /** Takes the trace id of the newest error and finds its document again. */
  private void exactRequest() {
    JsonNode newest =
        search(
            "{\"size\":1,\"_source\":[\"trace_id\"],\"sort\":[{\"@timestamp\":\"desc\"}],"
                + "\"query\":{\"term\":{\"level\":\"ERROR\"}}}");
    String id = newest.at("/hits/hits/0/_source/trace_id").asText();
    JsonNode answer =
        ask(
            "What happened in the request " + id + "?",
            "{\"query\":{\"term\":{\"trace_id\":\"" + id + "\"}}}");
    JsonNode hit = answer.at("/hits/hits/0/_source");
    String message = hit.path("message").asText().split("\n", 2)[0];
    answered(
        answer,
        total(answer)
            + " document: "
            + hit.path("@timestamp").asText()
            + " "
            + hit.path("service").asText()
            + " on "
            + hit.path("host").asText()
            + ": "
            + (message.length() > 100 ? message.substring(0, 100) + "..." : message));
  }

  private void latencyOverTime() {
    JsonNode answer =
        ask(
            "How did the slowest 1 % of the web requests develop (p99 per 5 minutes)?",
            "{\"size\":0,\"track_total_hits\":true,\"query\":{\"bool\":{\"filter\":["
                + "{\"match\":{\"message\":\"GET\"}},"
                + "{\"range\":{\"@timestamp\":{\"gte\":\"now-30m\"}}}]}},"
                + "\"aggs\":{\"time\":{\"date_histogram\":{\"field\":\"@timestamp\","
                + "\"fixed_interval\":\"5m\"},\"aggs\":{\"latency\":{\"percentiles\":{"
                + "\"field\":\"latency_ms\",\"percents\":[50,99]}}}}}}");
    StringBuilder line = new StringBuilder();
    for (JsonNode bucket : answer.path("aggregations").path("time").path("buckets")) {
      String time = bucket.path("key_as_string").asText();
      line.append(line.isEmpty() ? "" : ", ");
      line.append(time.length() >= 16 ? time.substring(11, 16) : time);
      double p99 = bucket.path("latency").path("values").path("99.0").asDouble();
      line.append(String.format(Locale.ROOT, " %.0f ms", p99));
    }
    answered(answer, total(answer) + " requests: " + line);
  }

  private JsonNode search(String body) {
    Answer answer = cluster.call("POST", "/" + INDEX + "/_search", body);
    JsonNode json = answer.json();
    if (json == null || answer.status() != 200) {
      throw new ExpectedFailure(
          ExitCode.FAILED, "the search failed: " + answer.reason(), "See the node's log.");
    }
    return json;
  }

  private JsonNode ask(String question, String body) {
    out.println();
    out.println("# " + question);
    out.println(
        "curl -s '"
            + cluster.first()
            + "/"
            + INDEX
            + "/_search?pretty' -H 'Content-Type: application/json' -d '"
            + body
            + "'");
    return search(body);
  }

  private void answered(JsonNode answer, String text) {
    out.println("-> " + text + "  (took " + answer.path("took").asLong() + " ms)");
  }

  private static String total(JsonNode answer) {
    return String.format(Locale.ROOT, "%,d", answer.at("/hits/total/value").asLong());
  }

  private void whereNext() {
    String url = cluster.first();
    boolean millrace = cluster.call("GET", "/_millrace", null).status() == 200;
    out.println();
    out.println("Where to look next:");
    if (millrace) {
      out.println(
          "  curl -s '" + url + "/_millrace?pretty'         what Millrace does on each node");
      out.println("  curl -s '" + url + "/_millrace/stats?pretty'   what it counted");
    }
    out.println("  ./millrace ingest --url " + url + " FILE...   your own logs");
    out.println("  ./millrace status                 ./millrace down");
    out.println("  README.md, docs/                  features, settings, limits");
    if (millrace) {
      out.println();
      out.println("These lines in a browser: " + url + "/_millrace/explore");
    }
  }
}
