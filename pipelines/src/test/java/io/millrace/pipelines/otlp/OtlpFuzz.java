package io.millrace.pipelines.otlp;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.millrace.pipelines.intake.BatchIds;
import io.millrace.pipelines.intake.IndexName;
import io.millrace.pipelines.intake.MalformedBodyException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;

/**
 * Whatever the body: its documents, or the one exception that is answered with 400. {@code
 * -Dmillrace.otlp.fuzz=10000000} for a long run, {@code -Dmillrace.otlp.seed=N} to repeat one.
 */
class OtlpFuzz {
  private static final int BODIES = Integer.getInteger("millrace.otlp.fuzz", 40_000);
  private static final long SEED = Long.getLong("millrace.otlp.seed", System.nanoTime());

  private final IndexName index = IndexName.setting("i", "otel-{day}").get(Settings.EMPTY);

  @Test
  void brokenProtobuf() {
    byte[] sound =
        Proto.request(
            "shop",
            Proto.log(1_763_800_000_000_000_000L, "hello")
                .number(2, 9)
                .hex(9, "5b8efff798038103d269b633813fc60c")
                .with(6, Proto.pair("a.b", "c"))
                .with(6, Proto.pair("a", Proto.message().with(5, Proto.message()))));
    Random random = new Random(SEED);
    for (int i = 0; i < BODIES; i++) {
      byte[] body = random.nextInt(8) == 0 ? random(random) : broken(sound, random);
      Signal signal = Signal.values()[random.nextInt(2)];
      read(signal, body, body, i);
    }
  }

  @Test
  void brokenJson() {
    byte[] sound =
        """
        {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"s"}}]},
        "scopeLogs":[{"logRecords":[{"timeUnixNano":"1763800000000000000","severityNumber":9,
        "body":{"stringValue":"x"},"attributes":[{"key":"k","value":{"doubleValue":1e3}}]}]}]}]}
        """
            .getBytes(StandardCharsets.UTF_8);
    Random random = new Random(SEED);
    Schema.Message schema = Schema.request(Signal.LOGS);
    for (int i = 0; i < BODIES; i++) {
      byte[] body = broken(sound, random);
      byte[] wire;
      try {
        wire = JsonToWire.wire(body, schema);
      } catch (MalformedBodyException e) {
        continue;
      } catch (IOException | RuntimeException | StackOverflowError e) {
        fail("seed " + SEED + ", body " + i, e);
        return;
      }
      read(Signal.LOGS, body, wire, i);
    }
  }

  private static byte[] random(Random random) {
    byte[] body = new byte[random.nextInt(200)];
    random.nextBytes(body);
    return body;
  }

  private static byte[] broken(byte[] sound, Random random) {
    byte[] body = sound.clone();
    for (int n = random.nextInt(4); n >= 0; n--) {
      body[random.nextInt(body.length)] = (byte) random.nextInt(256);
    }
    return random.nextInt(4) == 0
        ? java.util.Arrays.copyOf(body, random.nextInt(body.length))
        : body;
  }

  private void read(Signal signal, byte[] body, byte[] wire, int i) {
    try {
      OtlpDocuments documents =
          new OtlpDocuments(
              signal,
              RecordPlaces.read(wire),
              index,
              new BatchIds(body),
              1 << 20,
              "k",
              1_763_800_000_000L);
      for (IndexRequest each = documents.next(); each != null; each = documents.next()) {
        String source = each.source().utf8ToString();
        assertTrue(each.index().matches("otel-\\d{4}\\.\\d\\d\\.\\d\\d"), "seed " + SEED);
        parse(source, i);
      }
    } catch (MalformedBodyException e) {
      // answered with 400
    } catch (IOException | RuntimeException | StackOverflowError e) {
      fail("seed " + SEED + ", body " + i, e);
    }
  }

  /** Names may stand twice, as on the wire; everything else is JSON. */
  private static void parse(String source, int i) {
    try {
      XContentHelper.convertToMap(XContentType.JSON.xContent(), source, false);
    } catch (RuntimeException e) {
      String why = String.valueOf(e.getCause() == null ? e : e.getCause().getMessage());
      if (!why.contains("Duplicate")) {
        fail("seed " + SEED + ", body " + i + ": " + source, e);
      }
    }
  }
}
