package io.millrace.pipelines.otlp;

import static io.millrace.pipelines.otlp.Proto.log;
import static io.millrace.pipelines.otlp.Proto.message;
import static io.millrace.pipelines.otlp.Proto.pair;
import static io.millrace.pipelines.otlp.Proto.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.pipelines.intake.BatchIds;
import io.millrace.pipelines.intake.IndexName;
import io.millrace.pipelines.intake.MalformedBodyException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.settings.Settings;

class OtlpDocumentsTest {
  private static final long ARRIVED = Instant.parse("2026-11-22T10:00:00Z").toEpochMilli();
  private static final long TIME = ARRIVED * 1_000_000 + 123_456_789;
  private static final String TRACE = "5b8efff798038103d269b633813fc60c";

  private static OtlpDocuments documents(Signal signal, byte[] body, long limit)
      throws IOException {
    return new OtlpDocuments(
        signal,
        RecordPlaces.read(body),
        IndexName.setting("i", "otel-{day}").get(Settings.EMPTY),
        new BatchIds(body),
        limit,
        "the.limit",
        ARRIVED);
  }

  private static List<IndexRequest> all(OtlpDocuments documents) throws IOException {
    List<IndexRequest> all = new ArrayList<>();
    for (IndexRequest each = documents.next(); each != null; each = documents.next()) {
      all.add(each);
    }
    return all;
  }

  private static List<String> sources(Signal signal, byte[] body) throws IOException {
    return all(documents(signal, body, 1 << 20)).stream()
        .map(each -> each.source().utf8ToString())
        .toList();
  }

  @Test
  void aLogRecordKeepsEveryField() throws IOException {
    Proto record =
        log(TIME, "boom")
            .number(2, 17)
            .with(6, pair("code.function", "f"))
            .with(6, pair("code.function.name", message().number(3, -5)))
            .with(6, pair("nan", message().real(4, Double.NaN)))
            .with(6, pair("none", message()))
            .with(6, pair("raw", message().text(7, "\u0001")))
            .with(
                6,
                pair(
                    "list",
                    message()
                        .with(
                            5,
                            message()
                                .with(1, message().flag(2, true))
                                .with(1, message().with(6, message().with(1, pair("k", "v")))))))
            .number(7, 3)
            .fixed32(8, 1)
            .hex(9, TRACE)
            .hex(10, "eee19b7ec3c1b174")
            .fixed64(11, TIME + 1)
            .text(12, "login");
    assertEquals(
        List.of(
            "{\"serviceName\":\"shop\",\"resource\":{\"attributes\":{\"service.name\":\"shop\"}},"
                + "\"instrumentationScope\":{\"name\":\"lib\",\"version\":\"1.2\"},"
                + "\"droppedAttributesCount\":3,\"flags\":1,\"traceId\":\""
                + TRACE
                + "\",\"spanId\":\"eee19b7ec3c1b174\",\"eventName\":\"login\","
                + "\"@timestamp\":\"2026-11-22T10:00:00.123456789Z\","
                + "\"observedTime\":\"2026-11-22T10:00:00.123456790Z\","
                + "\"severity\":{\"number\":17,\"text\":\"ERROR\"},\"body\":\"boom\","
                + "\"attributes\":{\"code.function\":\"f\",\"code.function.name\":-5,"
                + "\"nan\":\"NaN\",\"none\":null,\"raw\":\"AQ==\",\"list\":[true,{\"k\":\"v\"}]}}"),
        sources(Signal.LOGS, request("shop", record)));
  }

  @Test
  void aSpanKeepsEveryField() throws IOException {
    Proto span =
        message()
            .hex(1, TRACE)
            .hex(2, "eee19b7ec3c1b174")
            .text(3, "a=b")
            .hex(4, "")
            .text(5, "GET /")
            .number(6, 2)
            .fixed64(7, TIME)
            .fixed64(8, TIME + 1_000)
            .with(9, pair("http.status", message().number(3, 200)))
            .with(11, message().fixed64(1, TIME).text(2, "e").with(3, pair("x", "y")))
            .with(13, message().hex(1, TRACE).hex(2, "01"))
            .with(15, message().text(2, "no").number(3, 2))
            .fixed32(16, 257);
    assertEquals(
        List.of(
            "{\"serviceName\":\"shop\",\"resource\":{\"attributes\":{\"service.name\":\"shop\"}},"
                + "\"instrumentationScope\":{\"name\":\"lib\",\"version\":\"1.2\"},\"traceId\":\""
                + TRACE
                + "\",\"spanId\":\"eee19b7ec3c1b174\",\"traceState\":\"a=b\",\"flags\":257,"
                + "\"@timestamp\":\"2026-11-22T10:00:00.123456789Z\",\"name\":\"GET /\","
                + "\"traceGroup\":\"GET /\",\"kind\":\"SPAN_KIND_SERVER\","
                + "\"startTime\":\"2026-11-22T10:00:00.123456789Z\","
                + "\"endTime\":\"2026-11-22T10:00:00.123457789Z\",\"durationInNanos\":1000,"
                + "\"status\":{\"code\":2,\"message\":\"no\"},"
                + "\"attributes\":{\"http.status\":200},"
                + "\"events\":[{\"time\":\"2026-11-22T10:00:00.123456789Z\",\"name\":\"e\","
                + "\"attributes\":{\"x\":\"y\"}}],\"links\":[{\"traceId\":\""
                + TRACE
                + "\",\"spanId\":\"01\"}]}"),
        sources(Signal.TRACES, request("shop", span)));
  }

  @Test
  void textAndStructureOfABodyHaveNamesOfTheirOwn() throws IOException {
    Proto number = message().fixed64(1, TIME).with(5, message().number(3, 7));
    Proto map =
        message().fixed64(1, TIME).with(5, message().with(6, message().with(1, pair("a", "b"))));
    List<String> out = sources(Signal.LOGS, request("s", number, map));
    assertTrue(out.get(0).contains("\"body\":\"7\""), out.get(0));
    assertTrue(out.get(1).contains("\"structuredBody\":{\"a\":\"b\"}"), out.get(1));
  }

  /** A value that is one field alone is read without a reader; a second field brings the reader. */
  @Test
  void aValueIsTheSameHoweverItIsRead() throws IOException {
    List<Proto> values = new ArrayList<>();
    for (int bits = 0; bits < 64; bits++) {
      values.add(message().number(3, 1L << bits));
      values.add(message().number(3, (1L << bits) - 1));
      values.add(message().number(3, -(1L << bits)));
    }
    for (int length : new int[] {0, 1, 127, 128, 129, 16_383, 16_384, 70_000}) {
      values.add(message().text(1, "x".repeat(length)));
      values.add(message().text(1, "\"\u00e9\n".repeat(length)));
    }
    values.add(message().flag(2, true));
    values.add(message().flag(2, false));
    values.add(message().real(4, 0.1));
    values.add(message());
    for (Proto value : values) {
      byte[] alone = request("s", log(TIME, "b").with(6, pair("k", value)));
      byte[] read = request("s", log(TIME, "b").with(6, pair("k", value.number(99, 1))));
      assertEquals(
          all(documents(Signal.LOGS, read, 1 << 20)).get(0).source().utf8ToString(),
          all(documents(Signal.LOGS, alone, 1 << 20)).get(0).source().utf8ToString());
    }
  }

  @Test
  void whatIsNestedTooDeepIsKeptAsBytes() throws IOException {
    Proto value = message().text(1, "x");
    for (int i = 0; i < 200; i++) {
      value = message().with(5, message().with(1, value));
    }
    Proto record = log(TIME, "deep").with(6, pair("deep", value));
    String source = sources(Signal.LOGS, request("s", record)).get(0);
    assertEquals(Attributes.DEEPEST, source.chars().filter(c -> c == '[').count());
    assertTrue(source.contains("[\"C"), source);
  }

  @Test
  void jsonGivesTheDocumentsOfProtobuf() throws IOException {
    String json =
        """
        {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},
          "unknown":{"a":[1,{"b":2}]},
          "scopeLogs":[{"scope":{"name":"lib","version":"1.2"},"logRecords":[
            {"timeUnixNano":"%d","severityNumber":9,"severityText":null,"body":{"stringValue":"hi"},
             "traceId":"5B8EFFF798038103D269B633813FC60C",
             "attributes":[{"key":"n","value":{"intValue":"5"}},{"key":"e","value":{"stringValue":""}},
               {"key":"b","value":{"bytesValue":"AQ=="}},{"key":"d","value":{"doubleValue":1.5}},
               {"key":"t","value":{"boolValue":true}},
               {"key":"l","value":{"arrayValue":{"values":[{"intValue":1}]}}},
               {"key":"m","value":{"kvlistValue":{"values":[{"key":"k","value":{"stringValue":"v"}}]}}}]}]}]}]}
        """
            .formatted(TIME);
    Proto record =
        log(TIME, "hi")
            .number(2, 9)
            .hex(9, TRACE)
            .with(6, pair("n", message().number(3, 5)))
            .with(6, pair("e", ""))
            .with(6, pair("b", message().text(7, "\u0001")))
            .with(6, pair("d", message().real(4, 1.5)))
            .with(6, pair("t", message().flag(2, true)))
            .with(6, pair("l", message().with(5, message().with(1, message().number(3, 1)))))
            .with(6, pair("m", message().with(6, message().with(1, pair("k", "v")))));
    byte[] wire =
        JsonToWire.wire(json.getBytes(StandardCharsets.UTF_8), Schema.request(Signal.LOGS));
    assertEquals(sources(Signal.LOGS, request("shop", record)), sources(Signal.LOGS, wire));
    String snake =
        json.replace("resourceLogs", "resource_logs").replace("logRecords", "log_records");
    assertEquals(
        sources(Signal.LOGS, wire),
        sources(
            Signal.LOGS,
            JsonToWire.wire(snake.getBytes(StandardCharsets.UTF_8), Schema.request(Signal.LOGS))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{}{}",
        "{\"resourceLogs\":{}}",
        "{\"resourceLogs\":[1]}",
        "{\"resourceLogs\":[{\"resource\":[]}]}",
        "{\"resourceLogs\":[{\"schemaUrl\":{}}]}",
        "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"timeUnixNano\":\"soon\"}]}]}]}",
        "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"traceId\":\"xyz\"}]}]}]}"
      })
  void brokenJsonIsRefused(String json) {
    assertThrows(
        MalformedBodyException.class,
        () -> JsonToWire.wire(json.getBytes(StandardCharsets.UTF_8), Schema.request(Signal.LOGS)));
  }

  @Test
  void theErrorNamesTheFieldAndTheValue() {
    String json =
        "{\"resourceLogs\":[{\"scopeLogs\":[{\"logRecords\":[{\"timeUnixNano\":\"soon\"}]}]}]}";
    String said =
        assertThrows(
                MalformedBodyException.class,
                () ->
                    JsonToWire.wire(
                        json.getBytes(StandardCharsets.UTF_8), Schema.request(Signal.LOGS)))
            .getMessage();
    assertTrue(said.contains("[timeUnixNano] is [soon]"), said);
  }

  @Test
  void theSameBodyGivesTheSameIdsAndRecordsWithoutATimeTheirOwn() throws IOException {
    byte[] body =
        request("s", log(TIME, "a"), log(TIME, "a"), message().with(5, message().text(1, "a")));
    List<String> first = ids(body);
    List<String> second = ids(body);
    assertEquals(3, first.stream().distinct().count());
    assertEquals(first.subList(0, 2), second.subList(0, 2));
    assertNotEquals(first.get(2), second.get(2));
    assertNotEquals(first.get(0), ids(request("s", log(TIME, "b"))).get(0));
  }

  private static List<String> ids(byte[] body) throws IOException {
    return all(documents(Signal.LOGS, body, 1 << 20)).stream().map(IndexRequest::id).toList();
  }

  @Test
  void aDayIsTheRecordsOwnUnlessItsClockIsWrong() throws IOException {
    byte[] body = request("s", log(TIME - 86_000_000_000_000L, "a"), log(1, "b"), log(-1, "c"));
    assertEquals(
        List.of("otel-2026.11.21", "otel-2026.11.22", "otel-2026.11.22"),
        all(documents(Signal.LOGS, body, 1 << 20)).stream().map(IndexRequest::index).toList());
  }

  @Test
  void whatIsBeyondTheLimitIsLeftOutAndCounted() throws IOException {
    byte[] body = request("x".repeat(1000), log(TIME, "a"), log(TIME, "b"), log(TIME, "c"));
    OtlpDocuments documents = documents(Signal.LOGS, body, 2000);
    assertEquals(1, all(documents).size());
    assertEquals(2, documents.left());
    assertTrue(documents.leftBecause().contains("[the.limit]"), documents.leftBecause());
  }
}
