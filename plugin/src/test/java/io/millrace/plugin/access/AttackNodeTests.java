package io.millrace.plugin.access;

import java.util.List;

/**
 * A user of {@code mine-*} tries to reach {@code secret-1} by every way round that names, ids and
 * requests inside of requests offer: nothing is read, nothing written, nobody's context freed.
 */
public class AttackNodeTests extends AccessNodeTestCase {
  private static final String SECRET = "the-treasure";

  private String mallory = "";

  private void setting() throws Exception {
    admin("PUT", "/secret-1/_doc/1?refresh=true", "{\"v\":\"" + SECRET + "\",\"n\":1}");
    admin("PUT", "/secret-1/_doc/2?refresh=true", "{\"v\":\"" + SECRET + "\",\"n\":2}");
    admin("PUT", "/mine-1/_doc/1?refresh=true", "{\"v\":\"mine\",\"n\":1}");
    mallory = user("mallory", "mine-*", "all");
  }

  private Answer asMallory(String method, String path, String body) throws Exception {
    Answer answer = call(mallory, method, path, body);
    assertFalse(method + " " + path + " -> " + answer, answer.text().contains(SECRET));
    return answer;
  }

  private void forbidden(String method, String path, String body) throws Exception {
    assertStatus(403, asMallory(method, path, body));
  }

  public void testNamesAndPatterns() throws Exception {
    setting();
    forbidden("GET", "/secret-1/_search", "");
    forbidden("GET", "/secret-1/_doc/1", "");
    forbidden("GET", "/mine-*,secret-1/_search", "");
    forbidden("GET", "/secret-1/_mapping", "");
    forbidden("GET", "/secret-1/_count", "");
    forbidden("GET", "/secret-1/_field_caps?fields=*", "");
    forbidden("GET", "/secret-1/_termvectors/1?fields=v", "");
    forbidden("GET", "/secret-1/_explain/1", "{\"query\":{\"match_all\":{}}}");
    for (String all : List.of("/_search", "/*/_search", "/_all/_search", "/s*,m*/_search")) {
      Answer answer = asMallory("GET", all, "");
      assertStatus(200, answer);
      assertEquals(answer.text(), 1, answer.at("hits.total.value"));
    }
    assertEquals(0, asMallory("GET", "/secret*/_search", "").at("hits.total.value"));
    // whether a name exists is not told
    assertEquals(403, asMallory("GET", "/nothing-here/_search", "").status());
  }

  public void testAliasesDataStreamsAndSystemIndices() throws Exception {
    setting();
    forbidden(
        "POST",
        "/_aliases",
        "{\"actions\":[{\"add\":{\"index\":\"secret-1\",\"alias\":\"mine-alias\"}}]}");
    forbidden("PUT", "/secret-1/_alias/mine-alias", "");
    // a filtered alias gives nothing, an open one that somebody else made gives its index
    admin(
        "POST",
        "/_aliases",
        "{\"actions\":[{\"add\":{\"index\":\"secret-1\",\"alias\":\"mine-part\","
            + "\"filter\":{\"term\":{\"n\":9}}}}]}");
    forbidden("GET", "/mine-part/_search", "");
    admin("DELETE", "/secret-1/_alias/mine-part", "");
    admin(
        "PUT",
        "/_index_template/stream",
        "{\"index_patterns\":[\"hidden-stream*\"],\"data_stream\":{},\"priority\":500}");
    admin(
        "POST",
        "/hidden-stream/_doc?refresh=true",
        "{\"@timestamp\":\"2026-01-01T00:00:00Z\",\"v\":\"" + SECRET + "\"}");
    forbidden("GET", "/hidden-stream/_search", "");
    forbidden("GET", "/.ds-hidden-stream-000001/_search", "");
    assertEquals(0, asMallory("GET", "/.ds-*/_search", "").at("hits.total.value"));
    String everything = user("everything", "*", "all");
    assertStatus(403, call(everything, "GET", "/.tasks/_search"));
    // the journal of what retention deleted is nobody's to write
    String dots = user("dots", ".*", "all");
    String journal = "/.millrace-retention";
    for (String names : List.of(everything, dots)) {
      assertStatus(403, call(names, "PUT", journal + "/_doc/1", "{\"target\":\"x\"}"));
      assertStatus(403, call(names, "PUT", journal));
      assertStatus(403, call(names, "DELETE", journal));
      assertStatus(403, call(names, "GET", journal + "/_search"));
    }
  }

  public void testRequestsInsideOfRequests() throws Exception {
    setting();
    Answer bulk =
        asMallory(
            "POST",
            "/mine-1/_bulk",
            "{\"index\":{\"_index\":\"secret-1\",\"_id\":\"9\"}}\n{\"n\":9}\n"
                + "{\"index\":{\"_index\":\"new-name\"}}\n{\"n\":9}\n"
                + "{\"index\":{\"_id\":\"9\"}}\n{\"n\":9}\n");
    assertStatus(200, bulk);
    assertEquals(bulk.text(), 403, bulk.at("items.0.index.status"));
    assertEquals(bulk.text(), 403, bulk.at("items.1.index.status"));
    assertEquals(bulk.text(), 201, bulk.at("items.2.index.status"));
    assertStatus(404, call(ADMIN, "GET", "/secret-1/_doc/9"));
    assertStatus(404, call(ADMIN, "GET", "/new-name"));
    String docs = "{\"docs\":[{\"_index\":\"secret-1\",\"_id\":\"1\"}]}";
    assertEquals(
        "security_exception", asMallory("GET", "/_mget", docs).string("docs.0.error.type"));
    asMallory("GET", "/_mtermvectors", docs);
    assertEquals(
        403,
        asMallory("GET", "/_msearch", "{\"index\":\"secret-1\"}\n{}\n").at("responses.0.status"));
    String lookup =
        "{\"query\":{\"terms\":{\"v\":{\"index\":\"secret-1\",\"id\":\"1\",\"path\":\"v\"}}}}";
    forbidden("GET", "/mine-1/_search", lookup);
    String like =
        "{\"query\":{\"more_like_this\":{\"fields\":[\"v\"],\"like\":[{\"_index\":\"secret-1\","
            + "\"_id\":\"1\"}],\"min_term_freq\":1,\"min_doc_freq\":1}}}";
    asMallory("GET", "/mine-1/_search", like);
  }

  public void testWhatChangesTheClusterOrAnIndex() throws Exception {
    setting();
    forbidden("PUT", "/_ingest/pipeline/mine", "{\"processors\":[]}");
    forbidden("PUT", "/_index_template/mine", "{\"index_patterns\":[\"mine-*\"]}");
    forbidden("PUT", "/_snapshot/mine", "{\"type\":\"fs\",\"settings\":{\"location\":\"x\"}}");
    forbidden("PUT", "/_cluster/settings", "{\"persistent\":{\"action.auto_create_index\":\"*\"}}");
    forbidden("PUT", "/_scripts/mine", "{\"script\":{\"lang\":\"painless\",\"source\":\"1\"}}");
    forbidden("POST", "/secret-1/_close", "");
    forbidden("DELETE", "/secret-1", "");
    forbidden("POST", "/secret-1/_update/1", "{\"doc\":{\"n\":9}}");
    forbidden("DELETE", "/secret-1/_doc/1", "");
    forbidden("PUT", "/mine-1/_clone/secret-2", "");
    forbidden("PUT", "/secret-1/_clone/mine-2", "");
    assertStatus(200, call(ADMIN, "GET", "/secret-1/_doc/1"));
  }

  /** Wildcards shrink to nothing, and nothing must not become everything. */
  public void testWildcardsThatDestroy() throws Exception {
    setting();
    admin(
        "PUT",
        "/_index_template/stream",
        "{\"index_patterns\":[\"hidden-stream*\"],\"data_stream\":{},\"priority\":500}");
    admin("PUT", "/_data_stream/hidden-stream", "");
    admin("PUT", "/secret-1/_alias/secret-alias", "");
    for (String who : List.of(withRoles("nobody"), user("none", "there-is-none*", "all"))) {
      for (String route :
          List.of(
              "DELETE /_data_stream/*",
              "DELETE /_data_stream/hidden-*",
              "DELETE /_data_stream/_all",
              "DELETE /*",
              "DELETE /_all",
              "DELETE /secret-*",
              "POST /*/_close",
              "POST /_all/_close",
              "DELETE /*/_alias/*",
              "DELETE /_all/_alias/_all",
              "DELETE /secret-1/_alias/*",
              "PUT /*/_block/write",
              "PUT /_settings",
              "PUT /*/_settings",
              "POST /_aliases",
              "POST /*/_delete_by_query?q=*",
              "POST /secret-*/_delete_by_query?q=*")) {
        int gap = route.indexOf(' ');
        String body =
            route.endsWith("_settings")
                ? "{\"index.blocks.read\":true}"
                : route.endsWith("_aliases")
                    ? "{\"actions\":[{\"remove\":{\"index\":\"*\",\"alias\":\"*\"}}]}"
                    : "";
        call(who, route.substring(0, gap), route.substring(gap + 1), body);
        Answer found = call(ADMIN, "GET", "/secret-alias/_search");
        assertEquals(route + " -> " + found, 200, found.status());
        assertEquals(route, 2, found.at("hits.total.value"));
        assertEquals(route, 200, call(ADMIN, "GET", "/_data_stream/hidden-stream").status());
        assertEquals(
            route,
            0,
            admin("GET", "/secret-1/_settings?name=index.blocks.*", "").text().indexOf("{}"));
      }
    }
  }

  public void testScrollsBelongToWhoeverOpenedThem() throws Exception {
    setting();
    String reader = user("scroller", "secret-*", "read");
    Answer opened = call(reader, "GET", "/secret-1/_search?scroll=5m&size=1");
    assertStatus(200, opened);
    String id = opened.string("_scroll_id");
    String body = "{\"scroll_id\":\"" + id + "\"}";
    forbidden("POST", "/_search/scroll", body);
    forbidden("DELETE", "/_search/scroll", body);
    forbidden("DELETE", "/_search/scroll/_all", "");
    // without its signature, and with every character of it changed in turn
    String bare = id.substring(id.lastIndexOf('.') + 1);
    forbidden("POST", "/_search/scroll", "{\"scroll_id\":\"" + bare + "\"}");
    forbidden("DELETE", "/_search/scroll", "{\"scroll_id\":\"" + bare + "\"}");
    for (int i = 4; i < id.length() - bare.length() - 1; i += 5) {
      char other = id.charAt(i) == 'A' ? 'B' : 'A';
      String forged = id.substring(0, i) + other + id.substring(i + 1);
      assertStatus(
          403, call(reader, "POST", "/_search/scroll", "{\"scroll_id\":\"" + forged + "\"}"));
    }
    Answer next = call(reader, "POST", "/_search/scroll", body);
    assertStatus(200, next);
    assertTrue(next.text(), next.text().contains(SECRET));
    assertStatus(200, call(reader, "DELETE", "/_search/scroll", body));
  }

  public void testPointsInTimeBelongToWhoeverOpenedThem() throws Exception {
    setting();
    String reader = user("pointer", "secret-*", "read");
    Answer opened = call(reader, "POST", "/secret-1/_search/point_in_time?keep_alive=5m");
    assertStatus(200, opened);
    String id = opened.string("pit_id");
    String search = "{\"pit\":{\"id\":\"" + id + "\"}}";
    forbidden("GET", "/_search", search);
    forbidden("DELETE", "/_search/point_in_time", "{\"pit_id\":[\"" + id + "\"]}");
    forbidden("DELETE", "/_search/point_in_time/_all", "");
    Answer unsigned = call(ADMIN, "POST", "/mine-1/_search/point_in_time?keep_alive=5m");
    String bare = "{\"pit\":{\"id\":\"" + unsigned.string("pit_id") + "\"}}";
    forbidden("GET", "/_search", bare);
    Answer found = call(reader, "GET", "/_search", search);
    assertStatus(200, found);
    assertEquals(found.text(), 2, found.at("hits.total.value"));
    assertStatus(
        200, call(reader, "DELETE", "/_search/point_in_time", "{\"pit_id\":[\"" + id + "\"]}"));
    // the framework counts what is still open: the reader's are gone, these are the operator's
    admin(
        "DELETE", "/_search/point_in_time", "{\"pit_id\":[\"" + unsigned.string("pit_id") + "\"]}");
  }

  public void testAppendingIsNotChanging() throws Exception {
    setting();
    String shipper = user("shipper", "ship-*", "append");
    Answer bulk =
        call(
            shipper,
            "POST",
            "/ship-1/_bulk?refresh=true",
            "{\"index\":{}}\n{\"n\":1}\n"
                + "{\"create\":{\"_id\":\"a\"}}\n{\"n\":1}\n"
                + "{\"index\":{\"_id\":\"a\"}}\n{\"n\":2}\n"
                + "{\"delete\":{\"_id\":\"a\"}}\n"
                + "{\"update\":{\"_id\":\"a\"}}\n{\"doc\":{\"n\":3}}\n");
    assertStatus(200, bulk);
    assertEquals(bulk.text(), 201, bulk.at("items.0.index.status"));
    assertEquals(bulk.text(), 201, bulk.at("items.1.create.status"));
    assertEquals(bulk.text(), 403, bulk.at("items.2.index.status"));
    assertEquals(bulk.text(), 403, bulk.at("items.3.delete.status"));
    assertEquals(bulk.text(), 403, bulk.at("items.4.update.status"));
    assertStatus(403, call(shipper, "GET", "/ship-1/_search"));
    assertEquals(1, admin("GET", "/ship-1/_doc/a", "").at("_source.n"));
  }
}
