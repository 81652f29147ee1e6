package io.millrace.testkit.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.millrace.testkit.http.JsonHttp;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An endless series of requests on one index, the same for the same seed: writes of every kind,
 * also broken ones, and reads of every kind between them.
 *
 * <p>After Pebble's metamorphic tests: the operations are drawn first and know nothing of the
 * answers, so that one series can run anywhere. Documents have ids of a small range, so that
 * updates, deletions and version conflicts meet existing documents.
 */
public final class RandomOperations {
  /** One request; a body that ends with a newline is NDJSON. */
  public record Operation(String method, String path, @Nullable String body) {
    @Override
    public String toString() {
      return method + " " + path + (body == null ? "" : " " + body);
    }
  }

  private static final int IDS = 300;
  private static final String[] WORDS =
      ("connection timeout retry nova.osapi_compute.wsgi.server failed to reach 10.0.0.7 /var/log"
              + "/app.log user=alice GET 200 disk full warning caché naïve 東京 request id")
          .split(" ");
  private static final String[] SORTS = {
    "[{\"n\":\"asc\"},{\"_id\":\"asc\"}]",
    "[{\"host\":\"desc\"},{\"_id\":\"asc\"}]",
    "[{\"@timestamp\":{\"order\":\"desc\",\"missing\":\"_last\"}},{\"_id\":\"asc\"}]",
    "[{\"ratio\":{\"order\":\"asc\",\"missing\":\"_first\"}},{\"_id\":\"desc\"}]"
  };

  /** The explicit fields; objects and what is in them come by the mapping's own growth. */
  private static final String PROPERTIES =
      "{\"_k\":{\"type\":\"keyword\"},\"n\":{\"type\":\"long\"},"
          + "\"host\":{\"type\":\"keyword\"},\"message\":{\"type\":\"text\"},"
          + "\"@timestamp\":{\"type\":\"date\"},\"ratio\":{\"type\":\"double\"},"
          + "\"ok\":{\"type\":\"boolean\"},\"ip\":{\"type\":\"ip\"},"
          + "\"small\":{\"type\":\"byte\"},\"tags\":{\"type\":\"keyword\"},"
          + "\"title\":{\"type\":\"text\",\"fields\":{\"raw\":{\"type\":\"keyword\",\"ignore_above\":20}}}"
          + "}";

  private final Random random;
  private final String index;

  /**
   * @param index the one index that every operation goes to
   */
  public RandomOperations(long seed, String index) {
    this.random = new Random(seed);
    this.index = index;
  }

  /**
   * The mapping that the operations are made for, of explicit and dynamic fields.
   *
   * @param settings further lines inside {@code settings}, or an empty string
   */
  public static String creation(int shards, String settings) {
    return "{\"settings\":{\"number_of_shards\":"
        + shards
        + ",\"number_of_replicas\":0,\"index.refresh_interval\":\"-1\""
        // a deleted document's version is forgotten after a minute: no answer may depend on that
        + ",\"index.gc_deletes\":\"1h\""
        + (settings.isEmpty() ? "" : "," + settings)
        + "},\"mappings\":{\"properties\":"
        + PROPERTIES
        + "}}";
  }

  /** The names of the explicit fields. */
  public static List<String> fields() {
    List<String> names = new ArrayList<>();
    try {
      JsonHttp.MAPPER.readTree(PROPERTIES).fieldNames().forEachRemaining(names::add);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
    return names;
  }

  /** The next request of the series. */
  public Operation next() {
    return switch (random.nextInt(20)) {
      case 0, 1 -> new Operation("PUT", doc(), document());
      case 2 -> new Operation("PUT", "/" + index + "/_create/" + id(), document());
      case 3 -> new Operation("POST", "/" + index + "/_update/" + id(), update());
      case 4 -> new Operation("DELETE", doc(), null);
      case 5, 6, 7, 8 -> new Operation("POST", "/" + index + "/_bulk", bulk());
      case 9 -> new Operation("GET", doc(), null);
      case 10 -> new Operation("POST", "/" + index + "/_mget", mget());
      case 11 -> new Operation("POST", "/" + index + "/_refresh", null);
      case 12 ->
          random.nextInt(4) == 0
              ? new Operation("POST", "/" + index + "/_flush", null)
              : new Operation("POST", "/" + index + "/_count", "{\"query\":" + query() + "}");
      case 13 -> aggregation();
      case 14 ->
          random.nextInt(6) == 0
              ? new Operation("POST", "/" + index + "/_forcemerge?max_num_segments=1", null)
              : search();
      case 15 -> byQuery();
      default -> search();
    };
  }

  /**
   * A bulk of new documents under ids of their own, {@code s0} and up: nothing is replaced or
   * deleted by it.
   */
  public Operation append(int from, int to) {
    StringBuilder body = new StringBuilder();
    for (int n = from; n < to; n++) {
      body.append("{\"index\":{\"_id\":\"s").append(n).append("\"}}\n");
      body.append(document()).append('\n');
    }
    return new Operation("POST", "/" + index + "/_bulk", body.toString());
  }

  /**
   * A search in the order of its scores.
   *
   * <p>Not part of {@link #next}: term statistics count deleted documents until a merge drops them,
   * and when that happens is up to each node. Scores compare where nothing was deleted.
   */
  public Operation scored() {
    return new Operation(
        "POST",
        "/" + index + "/_search",
        "{\"size\":50,\"track_total_hits\":true,\"query\":"
            + query()
            + ",\"sort\":[{\"_score\":\"desc\"},{\"_id\":\"asc\"}]}");
  }

  private String id() {
    return "d" + random.nextInt(IDS);
  }

  private String doc() {
    return "/" + index + "/_doc/" + id();
  }

  private String words(int most) {
    return IntStream.rangeClosed(0, random.nextInt(most))
        .mapToObj(i -> WORDS[random.nextInt(WORDS.length)])
        .collect(Collectors.joining(" "));
  }

  private String field() {
    return switch (random.nextInt(14)) {
      case 0 -> "\"n\":" + (random.nextInt(2000) - 1000);
      case 1 -> "\"host\":\"host-" + random.nextInt(12) + "\"";
      case 2, 3 -> "\"message\":\"" + words(14) + "\"";
      case 4 ->
          "\"@timestamp\":\"2026-11-%02dT%02d:%02d:%02d.%03dZ\""
              .formatted(
                  1 + random.nextInt(28),
                  random.nextInt(24),
                  random.nextInt(60),
                  random.nextInt(60),
                  random.nextInt(1000));
      case 5 -> "\"@timestamp\":" + (1_790_000_000_000L + random.nextInt());
      case 6 -> "\"ratio\":" + random.nextInt(1000) / 8.0;
      case 7 -> "\"ok\":" + (random.nextBoolean() ? "true" : "\"false\"");
      case 8 -> "\"ip\":\"10.0." + random.nextInt(4) + "." + random.nextInt(256) + "\"";
      case 9 -> "\"tags\":[\"t" + random.nextInt(5) + "\",\"t" + random.nextInt(5) + "\",null]";
      case 10 -> "\"title\":\"" + words(5) + "\"";
      case 11 -> "\"small\":" + random.nextInt(128);
      case 12 -> "\"object\":{\"inner\":" + random.nextInt(9) + ",\"name\":\"" + words(2) + "\"}";
      // refused by both in the same words
      default ->
          random.nextInt(8) != 0
              ? "\"n\":\"" + random.nextInt(50) + "\""
              : switch (random.nextInt(5)) {
                case 0 -> "\"small\":4000";
                case 1 -> "\"ip\":\"not an address\"";
                case 2 -> "\"@timestamp\":\"yesterday\"";
                case 3 -> "\"object\":7";
                default -> "\"n\":[1,{\"x\":2}]";
              };
    };
  }

  private String document() {
    List<String> fields = new ArrayList<>();
    java.util.Set<String> names = new java.util.HashSet<>();
    for (int i = random.nextInt(7); i >= 0; i--) {
      String field = field();
      if (names.add(field.substring(0, field.indexOf(':'))) || random.nextInt(60) == 0) {
        fields.add(field); // now and then a duplicate key, which the parser has to refuse
      }
    }
    return fields.stream().collect(Collectors.joining(",", "{", "}"));
  }

  private String update() {
    return random.nextBoolean()
        ? "{\"doc\":" + document() + ",\"doc_as_upsert\":" + random.nextBoolean() + "}"
        : "{\"script\":{\"source\":\"ctx._source.n = 7\"},\"upsert\":" + document() + "}";
  }

  private String bulk() {
    StringBuilder body = new StringBuilder();
    for (int i = 1 + random.nextInt(60); i > 0; i--) {
      switch (random.nextInt(10)) {
        case 0 -> body.append("{\"delete\":{\"_id\":\"").append(id()).append("\"}}\n");
        case 1 ->
            body.append("{\"update\":{\"_id\":\"")
                .append(id())
                .append("\"}}\n{\"doc\":")
                .append(document())
                .append(",\"doc_as_upsert\":true}\n");
        case 2 ->
            body.append("{\"create\":{\"_id\":\"")
                .append(id())
                .append("\"}}\n")
                .append(document())
                .append('\n');
        default ->
            body.append("{\"index\":{\"_id\":\"")
                .append(id())
                .append("\"}}\n")
                .append(document())
                .append('\n');
      }
    }
    return body.toString();
  }

  private String mget() {
    return IntStream.rangeClosed(0, random.nextInt(6))
        .mapToObj(i -> "\"" + id() + "\"")
        .collect(Collectors.joining(",", "{\"ids\":[", "]}"));
  }

  private String query() {
    return switch (random.nextInt(12)) {
      case 0 -> "{\"match_all\":{}}";
      case 1, 2 -> "{\"match\":{\"message\":\"" + words(3) + "\"}}";
      case 3 -> "{\"match_phrase\":{\"message\":\"" + words(2) + "\"}}";
      case 4 -> "{\"term\":{\"host\":\"host-" + random.nextInt(12) + "\"}}";
      case 5 -> {
        int from = random.nextInt(1500) - 1000;
        yield "{\"range\":{\"n\":{\"gte\":" + from + ",\"lt\":" + (from + 300) + "}}}";
      }
      case 6 ->
          "{\"range\":{\"@timestamp\":{\"gte\":\"2026-11-%02d\"}}}"
              .formatted(1 + random.nextInt(28));
      case 7 -> "{\"prefix\":{\"title.raw\":\"" + WORDS[random.nextInt(WORDS.length)] + "\"}}";
      case 8 -> "{\"terms\":{\"tags\":[\"t1\",\"t" + random.nextInt(5) + "\"]}}";
      case 9 -> "{\"exists\":{\"field\":\"" + (random.nextBoolean() ? "ratio" : "object") + "\"}}";
      case 10 -> "{\"term\":{\"ip\":\"10.0." + random.nextInt(4) + ".0/25\"}}";
      default ->
          "{\"bool\":{\"must\":["
              + "{\"match\":{\"message\":\""
              + words(2)
              + "\"}}],\"filter\":[{\"term\":{\"ok\":true}}],\"must_not\":[{\"term\":{\"n\":7}}]}}";
    };
  }

  private Operation search() {
    return new Operation(
        "POST",
        "/" + index + "/_search",
        "{\"size\":25,\"track_total_hits\":true,\"version\":true,\"seq_no_primary_term\":true,"
            + "\"docvalue_fields\":[\"n\",\"host\",\"@timestamp\",\"ratio\",\"tags\",\"ip\",\"title.raw\"],"
            + "\"query\":"
            + query()
            + ",\"sort\":"
            + SORTS[random.nextInt(SORTS.length)]
            + (random.nextInt(4) == 0 ? ",\"highlight\":{\"fields\":{\"message\":{}}}" : "")
            + "}");
  }

  private Operation aggregation() {
    return new Operation(
        "POST",
        "/" + index + "/_search",
        "{\"size\":0,\"query\":"
            + query()
            + ",\"aggs\":{\"hosts\":{\"terms\":{\"field\":\"host\",\"size\":20},\"aggs\":{"
            + "\"n\":{\"stats\":{\"field\":\"n\"}},\"r\":{\"max\":{\"field\":\"ratio\"}}}},"
            + "\"days\":{\"date_histogram\":{\"field\":\"@timestamp\",\"calendar_interval\":\"day\"}},"
            + "\"tags\":{\"terms\":{\"field\":\"tags\"}},"
            + "\"raw\":{\"cardinality\":{\"field\":\"title.raw\"}},"
            + "\"rest\":{\"missing\":{\"field\":\"ip\"}}}}");
  }

  private Operation byQuery() {
    return random.nextInt(5) == 0
        ? new Operation(
            "POST",
            "/" + index + "/_delete_by_query?refresh=true&conflicts=proceed",
            "{\"query\":{\"term\":{\"host\":\"host-" + random.nextInt(12) + "\"}}}")
        : new Operation(
            "POST",
            "/" + index + "/_update_by_query?refresh=true&conflicts=proceed",
            "{\"query\":{\"term\":{\"tags\":\"t"
                + random.nextInt(5)
                + "\"}},\"script\":{\"source\":\"ctx._source.host = 'host-1'\"}}");
  }
}
