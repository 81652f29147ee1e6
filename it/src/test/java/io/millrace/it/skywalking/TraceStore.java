package io.millrace.it.skywalking;

import io.millrace.it.support.Commands;
import io.millrace.testkit.Await;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.time.Duration;

/** A node and the OAP that stores into it. */
final class TraceStore implements AutoCloseable {
  /** A pipeline that every node of these tests has, without processors at first. */
  static final String PIPELINE = "quiet-spans";

  /** Settings by which segments go through it. */
  static final String THROUGH_PIPELINE = "{\"default_pipeline\":\"" + PIPELINE + "\"}";

  private static final Duration SETTLED = Duration.ofMinutes(5);
  private static final int SEGMENTS_OF_A_TRACE = 4;

  private final Cluster cluster;
  private final OapServer oap;
  private int segments;

  private TraceStore(Cluster cluster, OapServer oap) {
    this.cluster = cluster;
    this.oap = oap;
  }

  /**
   * Starts both.
   *
   * @param settings of the indices of segments, a JSON object in which {@code index.} is left away:
   *     OAP puts them into its template
   */
  static TraceStore start(Cluster.Builder plan, String settings) throws IOException {
    // resolved first: where there are none, no node starts
    OapLibraries.classPath();
    Cluster cluster = plan.start();
    try {
      pipeline(cluster.http(), "[]");
      String indices = "{\"segment\":" + settings + "}";
      return new TraceStore(cluster, OapServer.start(cluster.node(0).port(), indices));
    } catch (IOException | RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  /** Replaces the processors of the pipeline; it counts for segments from now on. */
  void pipeline(String processors) {
    pipeline(node(), processors);
  }

  private static void pipeline(JsonHttp http, String processors) {
    http.put("/_ingest/pipeline/" + PIPELINE, "{\"processors\":" + processors + "}").ok();
  }

  /** CPU time that the node's process has used, in seconds. */
  double cpuSeconds() {
    return cluster.node(0).process().cpuNanos() / 1e9;
  }

  /** A client of the node. */
  JsonHttp node() {
    return cluster.http();
  }

  /** A client of OAP. */
  JsonHttp oap() {
    return oap.http();
  }

  /**
   * Reports traces and waits until the node has every segment of them.
   *
   * @param first time of the first one, in milliseconds since 1970
   * @param last time before which the last one starts
   * @throws AssertionError when the node has not all of them after five minutes
   */
  void report(int traces, long first, long last, int logs) throws IOException {
    Commands.run(
            OapServer.java(),
            "-cp",
            OapLibraries.classPath(),
            OapLibraries.REPORTER.toString(),
            String.valueOf(oap.reports()),
            String.valueOf(traces),
            String.valueOf(first),
            String.valueOf(last),
            String.valueOf(logs))
        .ok();
    segments += traces * SEGMENTS_OF_A_TRACE;
    try {
      Await.until(segments + " segments", SETTLED, () -> stored("sw_segment-*") >= segments);
    } catch (AssertionError e) {
      throw new AssertionError(
          stored("sw_segment-*") + " segments stored\n" + e.getMessage() + "\n" + oap.tail(), e);
    }
  }

  /** How many documents of these indices a search finds. */
  long stored(String indices) {
    node().post("/" + indices + "/_refresh").ok();
    return node().get("/" + indices + "/_count").ok().at("/count").asLong();
  }

  @Override
  public void close() throws IOException {
    oap.close();
    cluster.close();
  }
}
