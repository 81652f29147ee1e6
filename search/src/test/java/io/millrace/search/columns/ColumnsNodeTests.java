package io.millrace.search.columns;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.opensearch.action.search.CreatePitAction;
import org.opensearch.action.search.CreatePitRequest;
import org.opensearch.action.search.DeletePitAction;
import org.opensearch.action.search.DeletePitRequest;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchType;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.PointInTimeBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Columns of random documents beside stock's answers, over shards, segments and nodes. */
@ClusterScope(scope = Scope.SUITE, numDataNodes = 2, supportsDedicatedMasters = false)
public class ColumnsNodeTests extends ColumnsTestCase {
  private static final List<String> LINES =
      List.of("n", "level", "message", "d", "b", "t", "nanos", "tags", "i", "unmapped");

  public void testValuesAreThoseOfStock() throws Exception {
    documents("a", 120);
    String body =
        "{\"query\":{\"range\":{\"n\":{\"gte\":5}}},\"sort\":[{\"n\":\"desc\"}],\"size\":80,"
            + "\"track_total_hits\":true,";
    List<String> all = new ArrayList<>(DOC_VALUES);
    all.addAll(List.of("_id", "_index", "_score", "message", "kept", "plain", "inner.m"));
    Map<String, Object> json = ask("a", Map.of(), body + names(all) + "}").json();
    Map<String, List<List<Object>>> ours = columns(json);
    SearchRequestBuilder search =
        client()
            .prepareSearch("a")
            .setQuery(QueryBuilders.rangeQuery("n").gte(5))
            .addSort("n", SortOrder.DESC)
            .setSize(80)
            .setTrackTotalHits(true);
    DOC_VALUES.forEach(search::addDocValueField);
    SearchResponse stock = search.get();
    assertEquals((long) stock.getHits().getTotalHits().value(), total(json));
    assertEquals(80, json.get("rows"));
    int row = 0;
    for (SearchHit hit : stock.getHits()) {
      for (String field : DOC_VALUES) {
        assertEquals(field + " of " + hit, stock(hit, field), ours.get(field).get(row));
      }
      assertEquals(List.of(hit.getId()), ours.get("_id").get(row));
      assertEquals(List.of("a"), ours.get("_index").get(row));
      Map<String, Object> source = hit.getSourceAsMap();
      for (String field : List.of("message", "kept", "plain")) {
        assertEquals(field, values(source.get(field)), ours.get(field).get(row));
      }
      row++;
    }
    // values at a path in lists of objects
    assertEquals(80, ours.get("inner.m").size());
  }

  private static long total(Map<String, Object> json) {
    return ((Number) ((Map<?, ?>) json.get("total")).get("value")).longValue();
  }

  public void testScoresFollowTheHits() throws Exception {
    documents("s", 60);
    String query = "\"query\":{\"match\":{\"message\":\"line quoted\"}},\"size\":50";
    Map<String, Object> json =
        ask("s", Map.of(), "{" + query + ",\"columns\":[\"_id\",\"_score\"]}").json();
    SearchResponse stock =
        client()
            .prepareSearch("s")
            .setQuery(QueryBuilders.matchQuery("message", "line quoted"))
            // the test's client draws a type, and another one scores over all shards
            .setSearchType(SearchType.QUERY_THEN_FETCH)
            .setSize(50)
            .get();
    List<List<Object>> expected = new ArrayList<>();
    stock.getHits().forEach(hit -> expected.add(List.of((double) hit.getScore())));
    assertEquals(expected, columns(json).get("_score"));
  }

  public void testPagesOfAPointInTimeAreTheWhole() throws Exception {
    documents("p", 100);
    CreatePitRequest open = new CreatePitRequest(TimeValue.timeValueMinutes(1), true, "p");
    String pit = client().execute(CreatePitAction.INSTANCE, open).get().getId();
    String after = "";
    List<Object> seen = new ArrayList<>();
    while (true) {
      Asked page =
          ask(
              null,
              Map.of(),
              "{\"pit\":{\"id\":\""
                  + pit
                  + "\"},\"size\":17,\"sort\":[{\"level\":\"asc\"},{\"n\":\"asc\"}],"
                  + after
                  + "\"columns\":[\"n\"]}");
      columns(page.json()).get("n").forEach(seen::addAll);
      String last = ColumnFormat.lastAsJson(page.response());
      if (last == null) {
        break;
      }
      after = "\"search_after\":" + last + ",";
    }
    List<Object> stock = new ArrayList<>();
    client()
        .prepareSearch()
        .setSource(
            new SearchSourceBuilder()
                .size(1000)
                .sort("level")
                .sort("n")
                .pointInTimeBuilder(new PointInTimeBuilder(pit)))
        .get()
        .getHits()
        .forEach(hit -> stock.add(plain(hit.getSourceAsMap().get("n"))));
    assertEquals(stock, seen);
    client().execute(DeletePitAction.INSTANCE, new DeletePitRequest(pit)).get();
  }

  public void testPagesInTheOrderOfDocumentsAreTheWhole() throws Exception {
    documents("o", 400);
    for (String query :
        List.of(
            "{\"match_all\":{}}",
            "{\"range\":{\"n\":{\"gte\":100}}}",
            "{\"terms\":{\"tags\":[\"tag1\",\"tag2\",\"tag30\"]}}",
            "{\"bool\":{\"must\":{\"match\":{\"message\":\"quoted\"}},\"must_not\":{\"exists\":{\"field\":\"i\"}}}}",
            "{\"term\":{\"n\":-1}}")) {
      for (String mode : List.of("none", "all")) {
        concurrent(mode);
        CreatePitRequest open = new CreatePitRequest(TimeValue.timeValueMinutes(1), true, "o");
        String pit = client().execute(CreatePitAction.INSTANCE, open).get().getId();
        String select =
            "{\"pit\":{\"id\":\"" + pit + "\"},\"sort\":[\"_shard_doc\"],\"query\":" + query;
        // with a count of all hits the search is stock's
        List<Object> stock = new ArrayList<>();
        columns(
                ask(
                        null,
                        Map.of(),
                        select + ",\"track_total_hits\":true,\"size\":1000,\"columns\":[\"n\"]}")
                    .json())
            .get("n")
            .forEach(stock::addAll);
        for (int size : new int[] {1, 7, 100, 1000}) {
          assertEquals(
              query + size, stock, pages(select, size, size == 1 ? 20 : 1000, stock.size()));
        }
        client().execute(DeletePitAction.INSTANCE, new DeletePitRequest(pit)).get();
      }
    }
    concurrent(null);
  }

  /** One shard gives a page with one hit of stock's, which has to hold what the hits would. */
  public void testPagesOfOneShardHaveTheValuesOfHits() throws Exception {
    documents("w", 300, 1);
    List<String> names = new ArrayList<>(DOC_VALUES);
    names.addAll(List.of("message", "kept", "plain", "inner.m", "_id", "_index"));
    String asked = names(names);
    for (String query :
        List.of(
            "{\"match_all\":{}}",
            "{\"range\":{\"n\":{\"gte\":100}}}",
            "{\"match\":{\"message\":\"quoted\"}}",
            "{\"term\":{\"n\":290}}",
            "{\"term\":{\"n\":-1}}")) {
      CreatePitRequest open = new CreatePitRequest(TimeValue.timeValueMinutes(1), true, "w");
      String pit = client().execute(CreatePitAction.INSTANCE, open).get().getId();
      String select =
          "{\"pit\":{\"id\":\""
              + pit
              + "\"},\"sort\":[\"_shard_doc\",{\"n\":\"desc\"}],\"query\":"
              + query;
      Asked stock =
          ask(null, Map.of(), select + ",\"track_total_hits\":true,\"size\":1000," + asked + "}");
      Map<String, List<List<Object>>> all = columns(stock.json());
      for (int size : new int[] {1, 7, 64, 65, 1000}) {
        String limits = ",\"track_total_hits\":false,\"size\":" + size;
        Map<String, List<List<Object>>> seen = new LinkedHashMap<>();
        names.forEach(name -> seen.put(name, new ArrayList<>()));
        String after = "";
        while (true) {
          Asked page = ask(null, Map.of(), select + limits + after + "," + asked + "}");
          Map<String, Object> json = page.json();
          columns(json).forEach((name, values) -> seen.get(name).addAll(values));
          int rows = (int) json.get("rows");
          assertEquals(Math.min(rows, 1), page.response().getHits().getHits().length);
          if (rows < size) {
            break;
          }
          after = ",\"search_after\":" + ColumnFormat.lastAsJson(page.response());
        }
        assertEquals(query + size, all, seen);
      }
      assertEachRowIsAHit(select + ",\"track_total_hits\":false,\"size\":100,", asked, all);
      client().execute(DeletePitAction.INSTANCE, new DeletePitRequest(pit)).get();
    }
  }

  /** With a limit of time. */
  private static void assertEachRowIsAHit(
      String select, String asked, Map<String, List<List<Object>>> all) throws Exception {
    Asked timed = ask(null, Map.of(), select + "\"timeout\":\"1h\"," + asked + "}");
    int rows = Math.min(100, all.get("n").size());
    assertEquals(rows, timed.response().getHits().getHits().length);
    columns(timed.json())
        .forEach((name, values) -> assertEquals(name, all.get(name).subList(0, rows), values));
  }

  /** Pages until one is empty; after so many the rest is taken in one. */
  private List<Object> pages(String select, int size, int most, int rows) throws Exception {
    List<Object> seen = new ArrayList<>();
    String after = "";
    for (int page = 0; ; page++) {
      int its = page < most ? size : 1000;
      Asked asked =
          ask(
              null,
              Map.of(),
              select
                  + ",\"track_total_hits\":false,\"size\":"
                  + its
                  + after
                  + ",\"columns\":[\"n\"]}");
      columns(asked.json()).get("n").forEach(seen::addAll);
      String last = ColumnFormat.lastAsJson(asked.response());
      if (last == null) {
        return seen;
      }
      assertTrue("more than there are", seen.size() <= rows);
      after = ",\"search_after\":" + last;
    }
  }

  private static void concurrent(String mode) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put("search.concurrent_segment_search.mode", mode))
        .get();
  }

  public void testLinesAreJsonObjects() throws Exception {
    documents("l", 40);
    String body = "{\"sort\":[\"n\"],\"size\":100," + names(LINES) + "}";
    Map<String, List<List<Object>>> json = columns(ask("l", Map.of(), body).json());
    String[] lines =
        new String(
                BytesReference.toBytes(ask("l", Map.of("format", "ndjson"), body).bytes()),
                StandardCharsets.UTF_8)
            .split("\n");
    assertEquals(json.get("n").size(), lines.length);
    for (int row = 0; row < lines.length; row++) {
      Map<String, Object> line =
          XContentHelper.convertToMap(JsonXContent.jsonXContent, lines[row], true);
      assertEquals(Set.copyOf(LINES), line.keySet());
      for (String name : LINES) {
        assertEquals(name, json.get(name).get(row), values(line.get(name)));
      }
    }
  }

  public void testIndicesThatMapAFieldDifferently() throws Exception {
    assertAcked(prepareCreate("m1").setMapping("v", "type=long", "w", "type=long"));
    assertAcked(prepareCreate("m2").setMapping("v", "type=double", "w", "type=keyword"));
    client().prepareIndex("m1").setSource("v", 1, "w", 1, "o", 1).get();
    client().prepareIndex("m2").setSource("v", 2.5, "w", "x", "o", 2).get();
    refresh("m1", "m2");
    Map<String, List<List<Object>>> json =
        columns(ask("m*", Map.of("columns", "v,w"), "{\"sort\":[\"o\"]}").json());
    assertEquals(List.of(List.of(1.0), List.of(2.5)), json.get("v"));
    assertEquals(List.of(List.of("1"), List.of("x")), json.get("w"));
  }

  public void testBadInputNamesFieldValueAndRemedy() throws Exception {
    documents("bad", 16);
    refused("{\"columns\":[\"n\"],\"aggs\":{}}", "[aggs] has no place in columns; send it to");
    refused("{\"columns\":[\"n\"],\"_source\":[\"a\"]}", "[_source] has no place in columns");
    refused("{}", "[columns] is missing");
    refused("{\"columns\":[\"n\"],\"size\":100000}", "index.max_result_window");
    Exception e =
        expectThrows(
            Exception.class, () -> ask("bad", Map.of("scroll", "1m"), "{\"columns\":[\"n\"]}"));
    assertTrue(e.getMessage().contains("page with a point in time"));
    e =
        expectThrows(
            Exception.class,
            () ->
                client()
                    .prepareSearch("bad")
                    .setSource(
                        SearchSourceBuilder.fromXContent(
                            createParser(
                                JsonXContent.jsonXContent, "{\"ext\":{\"millrace_columns\":[]}}")))
                    .get());
    assertTrue(e.toString(), e.toString().contains("millrace_columns"));
  }

  private void refused(String body, String why) {
    Exception e = expectThrows(Exception.class, () -> ask("bad", Map.of(), body));
    assertTrue(causes(e), causes(e).contains(why));
  }

  private static String causes(Throwable e) {
    StringBuilder all = new StringBuilder();
    for (Throwable each = e; each != null; each = each.getCause()) {
      all.append(each.getMessage()).append('\n');
    }
    return all.toString();
  }

  public void testAnAnswerThatHoldsTooMuchIsRefused() throws Exception {
    documents("big", 200);
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put("millrace.search.columns.max_bytes", "1kb"))
        .get();
    try {
      String why;
      try {
        SearchResponse response =
            ask("big", Map.of(), "{\"size\":1000,\"columns\":[\"n\",\"message\"]}").response();
        assertTrue(response.getFailedShards() > 0);
        why = causes(response.getShardFailures()[0].getCause());
      } catch (ExecutionException e) {
        why = causes(e); // every shard has failed
      }
      assertTrue(why, why.contains("[millrace.search.columns.max_bytes] of [1kb]"));
    } finally {
      client()
          .admin()
          .cluster()
          .prepareUpdateSettings()
          .setTransientSettings(Settings.builder().putNull("millrace.search.columns.max_bytes"))
          .get();
    }
  }

  public void testWhatNoColumnHoldsIsRefused() throws Exception {
    assertAcked(
        prepareCreate("odd")
            .setSettings(
                Settings.builder()
                    .put("index.number_of_shards", 1)
                    .put("index.number_of_replicas", 0))
            .setMapping(
                "{\"properties\":{\"o\":{\"properties\":{\"x\":{\"type\":\"long\"}}},"
                    + "\"nest\":{\"type\":\"nested\"},\"span\":{\"type\":\"integer_range\"},"
                    + "\"flat\":{\"type\":\"flat_object\"},"
                    + "\"same\":{\"type\":\"constant_keyword\",\"value\":\"c\"}}}"));
    client()
        .prepareIndex("odd")
        .setSource(
            "{\"o\":{\"x\":1},\"span\":{\"gte\":1},\"flat\":{\"a\":\"b\"},\"same\":\"c\"}",
            XContentType.JSON)
        .get();
    refresh("odd");
    for (String name : List.of("o", "nest", "span", "flat", "_source", "_routing", "_version")) {
      Exception e =
          expectThrows(
              Exception.class, () -> ask("odd", Map.of(), "{\"columns\":[\"" + name + "\"]}"));
      assertTrue(causes(e), causes(e).contains("[columns.field] is [" + name + "], "));
    }
    Map<String, List<List<Object>>> ours =
        columns(
            ask("odd", Map.of(), "{\"columns\":[\"o.x\",\"same\",\"flat.a\",\"nowhere\"]}").json());
    assertEquals(
        Map.of(
            "o.x", List.of(List.of(1L)),
            "same", List.of(List.of("c")),
            "flat.a", List.of(List.of("b")),
            "nowhere", List.of(List.of())),
        ours);
  }
}
