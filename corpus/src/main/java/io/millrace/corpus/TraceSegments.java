package io.millrace.corpus;

import java.nio.charset.StandardCharsets;

/**
 * Documents shaped as a SkyWalking segment record: ids as long dotted keywords, a start time, a
 * latency, an error flag, {@code key=value} tags, and a base64 body of spans that is stored but
 * never searched. Field names follow SkyWalking's storage model; the values are invented.
 */
public final class TraceSegments implements DocumentSource {
  private static final byte[] BASE64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
          .getBytes(StandardCharsets.US_ASCII);
  private static final String[] METHODS = {"GET", "GET", "GET", "POST", "PUT", "DELETE"};

  private final Prng random;
  private final Zipf services = new Zipf(60, 0.9);
  private final Zipf endpoints = new Zipf(400, 1.0);
  private final byte[] spanPool;
  private long now;

  public TraceSegments(long seed) {
    this(seed, 1_700_000_000_000L);
  }

  /**
   * @param startMillis time of the first segment, milliseconds since 1970 UTC
   */
  public TraceSegments(long seed, long startMillis) {
    random = new Prng(seed);
    now = startMillis;
    // Span bodies repeat: slices of one pool compress about as protobuf spans of one service do.
    spanPool = new byte[16 << 10];
    for (int i = 0; i < spanPool.length; i++) {
      spanPool[i] = BASE64[random.below(64)];
    }
  }

  @Override
  public void next(JsonBuffer out) {
    now += random.between(0, 20);
    int service = services.draw(random);
    int endpoint = endpoints.draw(random);
    long latency = random.percent(90) ? random.between(1, 120) : random.between(120, 8_000);
    boolean error = random.percent(3);
    out.raw("{\"@timestamp\":\"").instant(now).raw("\",\"segment_id\":\"");
    id(out).raw("\",\"trace_id\":\"");
    id(out).raw("\",\"service_id\":\"");
    service(out, service).raw("\",\"service_instance_id\":\"");
    service(out, service).raw('_').hex(new Prng(service * 8L + random.below(8)).bits(), 16);
    out.raw("\",\"endpoint_id\":\"");
    service(out, service).raw("_/api/v1/endpoint-").number(endpoint);
    out.raw("\",\"start_time\":").number(now).raw(",\"time_bucket\":");
    bucket(out, now).raw(",\"latency\":").number(latency);
    out.raw(",\"is_error\":").raw(error ? '1' : '0').raw(",\"tags\":[\"http.method=");
    out.raw(METHODS[random.below(METHODS.length)]).raw("\",\"http.status_code=");
    out.raw(error ? "500" : "200").raw("\",\"db.type=sql\"],\"data_binary\":\"");
    int length = 4 * (int) random.between(40, 160);
    out.raw(spanPool, random.below(spanPool.length - length), length).raw("\"}");
  }

  private JsonBuffer id(JsonBuffer out) {
    out.hex(random.bits(), 16).hex(random.bits(), 16).raw('.');
    return out.number(random.between(10, 400)).raw('.').number(now * 10_000 + random.below(10_000));
  }

  private static JsonBuffer service(JsonBuffer out, int service) {
    return out.raw("svc-").padded(service, 3).raw(".shop.example");
  }

  /** {@code yyyyMMddHHmmss} as a number. */
  private static JsonBuffer bucket(JsonBuffer out, long millis) {
    JsonBuffer time = new JsonBuffer(32).instant(millis);
    for (int i = 0; i < 19; i++) {
      byte digit = time.array()[i];
      if (digit >= '0' && digit <= '9') {
        out.raw(digit);
      }
    }
    return out;
  }
}
