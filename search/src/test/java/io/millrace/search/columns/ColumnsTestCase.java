package io.millrace.search.columns;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.document.DocumentField;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.rest.FakeRestRequest;

/** Random documents over shards, segments and nodes, and requests for their columns. */
public abstract class ColumnsTestCase extends OpenSearchIntegTestCase {
  static final List<String> DOC_VALUES =
      List.of(
          "n",
          "i",
          "d",
          "f",
          "h",
          "s",
          "b",
          "t",
          "nanos",
          "level",
          "tags",
          "ip",
          "u",
          "late",
          "unmapped",
          "inner.k");
  static final String MAPPING =
      "{\"properties\":{\"n\":{\"type\":\"long\"},\"i\":{\"type\":\"integer\"},"
          + "\"d\":{\"type\":\"double\"},\"f\":{\"type\":\"float\"},\"h\":{\"type\":\"half_float\"},"
          + "\"s\":{\"type\":\"short\"},\"b\":{\"type\":\"boolean\"},"
          + "\"t\":{\"type\":\"date\",\"format\":\"yyyy-MM-dd HH:mm:ss.SSS\"},"
          + "\"nanos\":{\"type\":\"date_nanos\"},\"level\":{\"type\":\"keyword\"},"
          + "\"tags\":{\"type\":\"keyword\"},\"ip\":{\"type\":\"ip\"},"
          + "\"u\":{\"type\":\"unsigned_long\"},\"message\":{\"type\":\"text\"},"
          + "\"kept\":{\"type\":\"text\",\"store\":true},"
          + "\"plain\":{\"type\":\"long\",\"doc_values\":false},"
          + "\"inner\":{\"properties\":{\"k\":{\"type\":\"keyword\"},\"m\":{\"type\":\"text\"}}},"
          + "\"nest\":{\"type\":\"nested\",\"properties\":{\"x\":{\"type\":\"long\"}}}}}";

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(ColumnsHost.class);
  }

  void documents(String index, int count) {
    documents(index, count, 3);
  }

  void documents(String index, int count, int shards) {
    assertAcked(
        prepareCreate(index)
            .setSettings(
                Settings.builder()
                    .put("index.number_of_shards", shards)
                    .put("index.number_of_replicas", 0)
                    .put("index.refresh_interval", -1))
            .setMapping(MAPPING));
    // several segments, with deletions in each
    for (int from = 0; from < count; from += count / 4) {
      BulkRequest bulk = new BulkRequest().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
      for (int n = from; n < Math.min(count, from + count / 4); n++) {
        bulk.add(new IndexRequest(index).id(index + n).source(document(n), XContentType.JSON));
      }
      assertFalse(client().bulk(bulk).actionGet().hasFailures());
    }
    BulkRequest bulk = new BulkRequest();
    for (int n = 0; n < count; n += 7) {
      bulk.add(new DeleteRequest(index, index + n));
    }
    assertFalse(client().bulk(bulk).actionGet().hasFailures());
    refresh(index);
  }

  /** A document in which each field but n may be missing, null or several values. */
  Map<String, Object> document(int n) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("n", n);
    put(all, "i", () -> random().nextInt());
    put(all, "d", () -> random().nextGaussian());
    put(all, "f", () -> random().nextFloat());
    put(all, "h", () -> random().nextInt(100) / 4.0);
    put(all, "s", () -> random().nextInt(100));
    put(all, "b", () -> random().nextBoolean());
    put(all, "t", () -> "2026-11-22 10:00:0" + random().nextInt(10) + ".123");
    put(all, "nanos", () -> "2026-11-22T10:00:00.00000000" + random().nextInt(10) + "Z");
    put(all, "level", () -> List.of("INFO", "WARN", "\u00e9\"\n").get(random().nextInt(3)));
    put(all, "tags", () -> "tag" + random().nextInt(50));
    put(all, "ip", () -> "10.0.0." + random().nextInt(255));
    put(all, "u", () -> "1844674407370955" + (1000 + random().nextInt(600)));
    put(all, "message", () -> "line " + random().nextInt() + " \"quoted\" \u20ac");
    put(all, "kept", () -> "kept " + random().nextInt());
    put(all, "plain", () -> random().nextInt(1000));
    Map<String, Object> inner = new HashMap<>();
    put(inner, "k", () -> "k" + random().nextInt(5));
    put(inner, "m", () -> "text of " + random().nextInt(5));
    all.put("inner", random().nextBoolean() ? inner : List.of(inner, Map.of("k", "second")));
    all.put("nest", List.of(Map.of("x", 1), Map.of("x", 2)));
    if (n > 20) {
      all.put("late", n);
    }
    return all;
  }

  void put(Map<String, Object> to, String name, Supplier<Object> value) {
    switch (random().nextInt(6)) {
      case 0 -> {}
      case 1 -> to.put(name, null);
      case 2 -> to.put(name, List.of(value.get(), value.get(), value.get()));
      default -> to.put(name, value.get());
    }
  }

  /** What a node makes of a request, and its answer. */
  record Asked(ColumnsRequest request, SearchResponse response) {
    BytesReference bytes() throws Exception {
      ColumnTable table = ColumnTable.of(response.getHits().getHits(), request.columns());
      return request.format().write(table, response);
    }

    Map<String, Object> json() throws Exception {
      return XContentHelper.convertToMap(bytes(), true, XContentType.JSON).v2();
    }
  }

  static Asked ask(String index, Map<String, String> parameters, String body) throws Exception {
    Map<String, String> all = new HashMap<>(parameters);
    if (index != null) {
      all.put("index", index);
    }
    FakeRestRequest rest =
        new FakeRestRequest.Builder(internalCluster().getInstance(NamedXContentRegistry.class))
            .withParams(all)
            .withContent(new BytesArray(body), XContentType.JSON)
            .build();
    ColumnsRequest request =
        ColumnsRequest.of(rest, internalCluster().getInstance(NamedWriteableRegistry.class));
    SearchResponse response = client().search(request.search()).get();
    return new Asked(request, response);
  }

  /** The values of each column, each row as a list. */
  static Map<String, List<List<Object>>> columns(Map<String, Object> json) {
    Map<String, List<List<Object>>> all = new LinkedHashMap<>();
    for (Object each : (List<?>) json.get("columns")) {
      Map<?, ?> column = (Map<?, ?>) each;
      List<List<Object>> rows = new ArrayList<>();
      for (Object value : (List<?>) column.get("values")) {
        List<Object> row = new ArrayList<>();
        if (value instanceof List<?> several) {
          several.forEach(one -> row.add(plain(one)));
        } else if (value != null) {
          row.add(plain(value));
        }
        rows.add(row);
      }
      all.put((String) column.get("name"), rows);
    }
    return all;
  }

  static Object plain(Object value) {
    if (value instanceof Float || value instanceof Double) {
      return ((Number) value).doubleValue();
    }
    if (value instanceof BigInteger big) {
      return big.toString();
    }
    return value instanceof Number number ? number.longValue() : value;
  }

  static List<Object> stock(SearchHit hit, String field) {
    List<Object> values = new ArrayList<>();
    DocumentField found = hit.field(field);
    if (found != null) {
      found.getValues().forEach(value -> values.add(plain(value)));
    }
    return values;
  }

  static String names(List<String> columns) {
    return "\"columns\":[\"" + String.join("\",\"", columns) + "\"]";
  }

  static List<Object> values(Object value) {
    List<Object> values = new ArrayList<>();
    if (value instanceof List<?> several) {
      several.forEach(each -> values.add(plain(each)));
    } else if (value != null) {
      values.add(plain(value));
    }
    return values;
  }
}
