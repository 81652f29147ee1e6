package io.millrace.storage.zstandard;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Log documents as JSON with ordinary templates and cardinalities; the same seed, the same bytes.
 */
final class LogDocuments {
  private static final String[] SERVICES = {"checkout", "gateway", "payment", "search", "stock"};
  private static final String[] LEVELS = {"INFO", "INFO", "INFO", "INFO", "WARN", "ERROR"};
  private static final String[] TEMPLATES = {
    "Received block blk_%d of size 67108864 from /10.250.%d.%d",
    "Accepted publickey for deploy from 10.1.%d.%d port %d ssh2",
    "[instance: %08x-4f3a] VM Started (Lifecycle Event) after %d ms in zone %d",
    "nova.osapi_compute.wsgi.server GET /v2/servers/detail status: 200 len: %d time: 0.%d worker %d",
    "Connection broken for id %d, my id = %d, error = java.io.EOFException at attempt %d",
    "Task attempt_%d_0_m_%06d_0 transitioned from RUNNING to SUCCEEDED on container_%d",
    "slow query took %d ms: select * from orders where customer_id = %d and region = %d"
  };

  private LogDocuments() {}

  /** {@code count} documents of about 300 bytes, one every 20 ms. */
  static List<byte[]> generate(int count, long seed) {
    Random random = new Random(seed);
    List<byte[]> documents = new ArrayList<>(count);
    long time = 1_700_000_000_000L;
    for (int i = 0; i < count; i++) {
      time += random.nextInt(40);
      String message =
          String.format(
              Locale.ROOT,
              TEMPLATES[random.nextInt(TEMPLATES.length)],
              random.nextInt(1 << 24),
              random.nextInt(256),
              random.nextInt(256));
      documents.add(document(time, SERVICES[random.nextInt(SERVICES.length)], message, random));
    }
    return documents;
  }

  /** One document around a message. */
  static byte[] document(long time, String service, String message, Random random) {
    String json =
        String.format(
            Locale.ROOT,
            "{\"@timestamp\":\"%tFT%<tT.%<tLZ\",\"host\":\"ip-10-%d-7-%d\",\"service\":\"%s\","
                + "\"level\":\"%s\",\"pid\":%d,\"trace_id\":\"%016x%016x\",\"status\":%d,"
                + "\"latency_ms\":%.3f,\"message\":\"%s\"}",
            java.time.Instant.ofEpochMilli(time).atZone(java.time.ZoneOffset.UTC),
            random.nextInt(20),
            random.nextInt(10),
            service,
            LEVELS[random.nextInt(LEVELS.length)],
            100 + random.nextInt(65_000),
            random.nextLong(),
            random.nextLong(),
            random.nextInt(9) == 0 ? 500 : 200,
            -40 * Math.log(1 - random.nextDouble()),
            message.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t"));
    return json.getBytes(StandardCharsets.UTF_8);
  }
}
