package io.millrace.it.otlp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.CodedOutputStream;
import io.millrace.testkit.http.JsonHttp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Log records of one service, as an exporter of OpenTelemetry sends them and as a bulk of the
 * documents that a node makes of them. Every record has the number of its batch and one of its own.
 */
public final class LogBatch {
  private static final String SERVICE = "checkout";
  private static final String HOST = "host-7.example";
  private static final String SCOPE = "io.example.orders";

  private record Line(
      long nanos,
      String body,
      long number,
      String method,
      long status,
      String trace,
      String span) {}

  private final long batch;
  private final List<Line> lines = new ArrayList<>();

  /**
   * Another batch for every number and seed.
   *
   * @param first the number of its first record
   * @param size records
   * @param at milliseconds since the epoch, of the first record
   */
  public LogBatch(long batch, long first, int size, long at, long seed) {
    this.batch = batch;
    Random random = new Random(seed * 1_000_003 + batch);
    byte[] ids = new byte[24];
    for (int i = 0; i < size; i++) {
      random.nextBytes(ids);
      String hex = HexFormat.of().formatHex(ids);
      lines.add(
          new Line(
              at * 1_000_000 + i * 1_000L + 123,
              "request "
                  + random.nextInt(1_000_000)
                  + " of user "
                  + random.nextInt(10_000)
                  + " took "
                  + random.nextInt(5_000)
                  + " ms",
              first + i,
              random.nextInt(4) == 0 ? "POST" : "GET",
              random.nextInt(20) == 0 ? 500 : 200,
              hex.substring(0, 32),
              hex.substring(32)));
    }
  }

  int size() {
    return lines.size();
  }

  /** A field of a message that is a message or text. */
  private interface Content {
    void to(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Content content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    content.to(out);
    out.flush();
    return bytes.toByteArray();
  }

  private static void text(CodedOutputStream out, int field, String text) throws IOException {
    out.writeByteArray(field, text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] pair(String key, Content value) throws IOException {
    return message(out -> {
      text(out, 1, key);
      out.writeByteArray(2, message(value));
    });
  }

  private static byte[] record(Line line, long batch) throws IOException {
    return message(out -> {
      out.writeFixed64(1, line.nanos());
      out.writeInt32(2, 9);
      text(out, 3, "INFO");
      out.writeByteArray(5, message(body -> text(body, 1, line.body())));
      out.writeByteArray(6, pair("http.method", value -> text(value, 1, line.method())));
      out.writeByteArray(6, pair("http.status_code", value -> value.writeInt64(3, line.status())));
      out.writeByteArray(6, pair("batch", value -> value.writeInt64(3, batch)));
      out.writeByteArray(6, pair("number", value -> value.writeInt64(3, line.number())));
      out.writeByteArray(9, HexFormat.of().parseHex(line.trace()));
      out.writeByteArray(10, HexFormat.of().parseHex(line.span()));
      out.writeFixed64(11, line.nanos());
    });
  }

  /** The body of {@code POST /v1/logs}, protobuf. */
  public byte[] otlp() throws IOException {
    return message(request ->
        request.writeByteArray(
            1,
            message(resourceLogs -> {
              resourceLogs.writeByteArray(
                  1,
                  message(resource -> {
                    resource.writeByteArray(
                        1, pair("service.name", value -> text(value, 1, SERVICE)));
                    resource.writeByteArray(1, pair("host.name", value -> text(value, 1, HOST)));
                  }));
              resourceLogs.writeByteArray(
                  2,
                  message(scopeLogs -> {
                    scopeLogs.writeByteArray(1, message(scope -> text(scope, 1, SCOPE)));
                    for (Line line : lines) {
                      scopeLogs.writeByteArray(2, record(line, batch));
                    }
                  }));
            })));
  }

  private static String document(Line line, long batch) {
    long seconds = Math.floorDiv(line.nanos(), 1_000_000_000L);
    String time =
        Instant.ofEpochSecond(seconds, Math.floorMod(line.nanos(), 1_000_000_000L)).toString();
    return """
    {"serviceName":"%s","resource":{"attributes":{"service.name":"%s","host.name":"%s"}},\
    "instrumentationScope":{"name":"%s"},"traceId":"%s","spanId":"%s","@timestamp":"%s",\
    "observedTime":"%s","severity":{"number":9,"text":"INFO"},"body":"%s",\
    "attributes":{"http.method":"%s","http.status_code":%d,"batch":%d,"number":%d}}\
    """
        .formatted(
            SERVICE,
            SERVICE,
            HOST,
            SCOPE,
            line.trace(),
            line.span(),
            time,
            time,
            line.body(),
            line.method(),
            line.status(),
            batch,
            line.number());
  }

  /** The first document, as a node makes it of the first record. */
  String document() {
    return document(lines.get(0), batch);
  }

  /**
   * The same records as a bulk of documents.
   *
   * @param ids whether each document brings its id, as those of OTLP have one
   */
  byte[] bulk(boolean ids) {
    StringBuilder out = new StringBuilder();
    for (Line line : lines) {
      out.append("{\"create\":{")
          .append(ids ? "\"_id\":\"" + line.trace().substring(0, 22) + "\"" : "")
          .append("}}\n")
          .append(document(line, batch))
          .append('\n');
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Whether an index has every record of so many batches of this size once: by the number of the
   * batch, how many it has, and the sum of their own numbers.
   */
  public static void assertThereOnce(JsonHttp http, String index, int batches, int size) {
    http.post("/" + index + "/_refresh").ok();
    assertEquals(
        (long) batches * size, http.get("/" + index + "/_count").ok().at("/count").asLong());
    for (int from = 0; from < batches; from += 1_000) {
      int to = Math.min(batches, from + 1_000);
      JsonNode buckets =
          http.post(
                  "/" + index + "/_search",
                  "{\"size\":0,\"query\":{\"range\":{\"attributes.batch\":{\"gte\":%d,\"lt\":%d}}},\"aggs\":"
                          .formatted(from, to)
                      + "{\"b\":{\"terms\":{\"field\":\"attributes.batch\",\"size\":1000},"
                      + "\"aggs\":{\"n\":{\"stats\":{\"field\":\"attributes.number\"}}}}}}")
              .ok()
              .at("/aggregations/b/buckets");
      assertEquals(to - from, buckets.size());
      for (JsonNode bucket : buckets) {
        long first = bucket.get("key").asLong() * size;
        assertEquals(size, bucket.get("doc_count").asInt(), bucket.toString());
        assertEquals(first, bucket.at("/n/min").asLong(), bucket.toString());
        assertEquals(first + size - 1, bucket.at("/n/max").asLong(), bucket.toString());
        assertEquals(
            first * size + (long) size * (size - 1) / 2,
            Math.round(bucket.at("/n/sum").asDouble()),
            bucket.toString());
      }
    }
  }
}
