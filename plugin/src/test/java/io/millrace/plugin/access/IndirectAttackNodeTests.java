package io.millrace.plugin.access;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.After;

/**
 * A user of {@code mine-*} who may do everything there tries to reach {@code secret-1} through what
 * the node does for them: copies, pipelines, templates, lookups, aliases, tasks.
 */
public class IndirectAttackNodeTests extends ModulesNodeTestCase {
  private static final String SECRET = "the-treasure";

  private String mallory = "";

  private void setting() throws Exception {
    admin(
        "PUT",
        "/secret-1",
        "{\"mappings\":{\"properties\":{\"v\":{\"type\":\"keyword\"},\"at\":{\"type\":\"geo_shape\"}}}}");
    admin(
        "PUT",
        "/secret-1/_doc/1?refresh=true",
        "{\"v\":\"" + SECRET + "\",\"n\":1,\"at\":{\"type\":\"point\",\"coordinates\":[1,1]}}");
    admin(
        "PUT",
        "/mine-1",
        "{\"mappings\":{\"properties\":{\"q\":{\"type\":\"percolator\"},\"v\":{\"type\":\"keyword\"},"
            + "\"at\":{\"type\":\"geo_shape\"}}}}");
    admin(
        "PUT",
        "/mine-1/_doc/1?refresh=true",
        "{\"v\":\"mine\",\"n\":1,\"q\":{\"match_all\":{}},\"at\":{\"type\":\"point\",\"coordinates\":[1,1]}}");
    mallory = user("mallory", "mine-*", "all");
  }

  /** Whatever was tried: it is as it was. */
  @After
  public void theSecretIsUntouched() throws Exception {
    admin("POST", "/_refresh", "");
    Answer all = admin("GET", "/secret-1/_search", "");
    assertEquals(all.text(), 1, all.at("hits.total.value"));
    assertEquals(all.text(), SECRET, all.at("hits.hits.0._source.v"));
    Answer aliases = admin("GET", "/_alias/secret*", "");
    assertEquals("{}", aliases.text());
    Answer names = admin("GET", "/_cat/indices?h=index&s=index&expand_wildcards=all", "");
    for (String name : names.text().split("\n")) {
      assertTrue(
          names.text(),
          name.startsWith("mine-") || name.equals("secret-1") || name.startsWith(".tasks"));
    }
  }

  private Answer tried(String method, String path, String body) throws Exception {
    Answer answer = call(mallory, method, path, body);
    assertFalse(method + " " + path + " -> " + answer, answer.text().contains(SECRET));
    return answer;
  }

  private void forbidden(String method, String path, String body) throws Exception {
    assertStatus(403, tried(method, path, body));
  }

  private static String step(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  public void testCopies() throws Exception {
    setting();
    String from = "{\"source\":{\"index\":\"%s\"},\"dest\":{\"index\":\"%s\"}}";
    forbidden("POST", "/_reindex", from.formatted("secret-1", "mine-2"));
    forbidden("POST", "/_reindex", from.formatted("<secret-1>", "mine-2"));
    assertEquals(0, tried("POST", "/_reindex", from.formatted("secret*", "mine-2")).at("total"));
    for (String to : List.of("secret-1", "other", "<secret-1>")) {
      Answer into = tried("POST", "/_reindex?refresh=true", from.formatted("mine-1", to));
      assertStatus(403, into);
    }
    // the script changes where a document goes
    Answer moved =
        tried(
            "POST",
            "/_reindex?refresh=true",
            "{\"source\":{\"index\":\"mine-1\"},\"dest\":{\"index\":\"mine-2\"},"
                + "\"script\":{\"lang\":\"painless\",\"source\":\"ctx._index='secret-1'\"}}");
    assertStatus(403, moved);
    forbidden("POST", "/secret-1/_update_by_query", "");
    forbidden("POST", "/mine-1,secret-1/_update_by_query", "");
    forbidden("POST", "/secret-1/_delete_by_query", "{\"query\":{\"match_all\":{}}}");
    forbidden("POST", "/mine-1,secret-1/_delete_by_query", "{\"query\":{\"match_all\":{}}}");
    String two = "{\"settings\":{\"index.number_of_shards\":2}%s}";
    for (String kind : List.of("_split", "_shrink", "_clone")) {
      forbidden("PUT", "/mine-1/" + kind + "/secret-2", two.formatted(""));
      forbidden("PUT", "/secret-1/" + kind + "/mine-3", two.formatted(""));
      String alias = two.formatted(",\"aliases\":{\"secret-alias\":{}}");
      forbidden("PUT", "/mine-1/" + kind + "/mine-3", alias);
    }
  }

  public void testPipelinesThatSendElsewhere() throws Exception {
    setting();
    for (String to : List.of("secret-1", "brand-new")) {
      admin(
          "PUT",
          "/_ingest/pipeline/" + to,
          "{\"processors\":[{\"set\":{\"field\":\"_index\",\"value\":\"" + to + "\"}}]}");
      forbidden("PUT", "/mine-1/_doc/7?pipeline=" + to, "{\"n\":7}");
      Answer bulk =
          tried("POST", "/mine-1/_bulk?pipeline=" + to, "{\"index\":{\"_id\":\"7\"}}\n{\"n\":7}\n");
      assertEquals(bulk.text(), 403, bulk.at("items.0.index.status"));
      String set = "{\"index.default_pipeline\":\"%s\"}";
      assertStatus(200, tried("PUT", "/mine-1/_settings", set.formatted(to)));
      forbidden("PUT", "/mine-1/_doc/8", "{\"n\":8}");
      assertStatus(200, tried("PUT", "/mine-1/_settings", set.formatted("_none")));
      admin("DELETE", "/_ingest/pipeline/" + to, "");
    }
    forbidden("POST", "/_ingest/pipeline/_simulate", "{\"pipeline\":{},\"docs\":[]}");
  }

  public void testTemplatesLookupsAndScripts() throws Exception {
    setting();
    String all = "{\"source\":{\"query\":{\"match_all\":{}}}}";
    forbidden("GET", "/secret-1/_search/template", all);
    assertEquals(1, tried("GET", "/_search/template", all).at("hits.total.value"));
    Answer several = tried("GET", "/_msearch/template", "{\"index\":\"secret-1\"}\n" + all + "\n");
    assertEquals(several.text(), 403, several.at("responses.0.status"));
    String terms = "{\"terms\":{\"v\":{\"index\":\"secret-1\",\"id\":\"1\",\"path\":\"v\"}}}";
    forbidden("GET", "/mine-1/_search/template", "{\"source\":{\"query\":" + terms + "}}");
    forbidden("GET", "/mine-1/_search", "{\"query\":{\"bool\":{\"must_not\":" + terms + "}}}");
    forbidden("GET", "/mine-1/_count", "{\"query\":" + terms + "}");
    forbidden("GET", "/mine-1/_explain/1", "{\"query\":" + terms + "}");
    forbidden("POST", "/mine-1/_delete_by_query", "{\"query\":" + terms + "}");
    forbidden("POST", "/mine-1/_update_by_query", "{\"query\":" + terms + "}");
    forbidden(
        "GET",
        "/mine-1/_search",
        "{\"aggs\":{\"a\":{\"filter\":" + terms + "}},\"query\":{\"match_all\":{}}}");
    String percolate =
        "{\"query\":{\"percolate\":{\"field\":\"q\",\"index\":\"secret-1\",\"id\":\"1\"}}}";
    assertNoHit(tried("GET", "/mine-1/_search", percolate));
    String shape =
        "{\"query\":{\"geo_shape\":{\"at\":{\"indexed_shape\":{\"index\":\"secret-1\",\"id\":\"1\","
            + "\"path\":\"at\"}}}}}";
    assertNoHit(tried("GET", "/mine-1/_search", shape));
    Answer ranked =
        tried(
            "GET",
            "/secret-1/_rank_eval",
            "{\"requests\":[{\"id\":\"r\",\"request\":{\"query\":{\"match_all\":{}}},"
                + "\"ratings\":[{\"_index\":\"secret-1\",\"_id\":\"1\",\"rating\":1}]}],"
                + "\"metric\":{\"precision\":{}}}");
    assertFalse(ranked.text(), ranked.text().contains("\"_id\":\"1\",\"_score\""));
    forbidden(
        "POST",
        "/_scripts/painless/_execute",
        "{\"script\":{\"source\":\"1\"},\"context\":\"filter\",\"context_setup\":{\"index\":"
            + "\"secret-1\",\"document\":{}}}");
    String suggest =
        "{\"suggest\":{\"s\":{\"text\":\"the\",\"term\":{\"field\":\"v\"}}},\"size\":0}";
    forbidden("GET", "/secret-1/_search", suggest);
  }

  private static void assertNoHit(Answer answer) {
    assertTrue(
        answer.toString(),
        answer.status() / 100 == 4 || Integer.valueOf(0).equals(answer.at("hits.total.value")));
  }

  public void testNamesInDisguise() throws Exception {
    setting();
    for (String name :
        List.of(
            "<secret-1>",
            "<secret-{now/d{9}}>",
            "mine-1,secret-1",
            "mine-1,-mine-1,secret-1",
            "other:secret-1",
            "SECRET-1",
            ".tasks")) {
      Answer answer = tried("GET", "/" + step(name) + "/_search", "");
      assertTrue(name + answer, answer.status() == 403 || answer.status() == 404);
    }
    for (String name :
        List.of("*:*", "*,-mine-*", "secret-?", "s*t-1", "-mine-1,*", "*secret-1*", "<s*>")) {
      Answer answer = tried("GET", "/" + step(name) + "/_search?expand_wildcards=all", "");
      assertTrue(
          name + answer,
          answer.status() == 403
              || answer.status() == 404
              || answer.status() == 400
              || ((Integer) answer.at("hits.total.value")) < 2);
    }
    for (String options :
        List.of("ignore_unavailable=true", "allow_no_indices=true", "expand_wildcards=all")) {
      forbidden("GET", "/secret-1/_search?" + options, "");
      forbidden("GET", "/mine-1,secret-1/_search?" + options, "");
      forbidden("GET", "/secret-1/_count?" + options, "");
      forbidden("DELETE", "/secret-1?" + options, "");
    }
    Answer bulk =
        tried(
            "POST",
            "/_bulk",
            "{\"index\":{\"_index\":\"<secret-1>\",\"_id\":\"9\"}}\n{\"n\":9}\n"
                + "{\"delete\":{\"_index\":\"secret-1\",\"_id\":\"1\"}}\n"
                + "{\"update\":{\"_index\":\"secret-1\",\"_id\":\"1\",\"_source\":true}}\n"
                + "{\"doc\":{\"n\":9}}\n"
                + "{\"create\":{\"_index\":\"secret-9\",\"_id\":\"1\"}}\n{\"n\":9}\n");
    for (int i = 0; i < 4; i++) {
      assertTrue(bulk.text(), bulk.string("items." + i).contains("status=403"));
    }
    assertFalse(bulk.text(), bulk.text().contains("\"status\":20"));
    forbidden("PUT", "/brand-new/_doc/1", "{\"n\":1}");
    forbidden("PUT", "/brand-new", "");
    for (String seen :
        List.of(
            "/_cat/indices",
            "/_cat/shards",
            "/_cat/segments",
            "/_cat/aliases",
            "/_cat/count/secret-1",
            "/_cat/recovery",
            "/_stats",
            "/_segments",
            "/_mapping",
            "/_settings",
            "/_recovery",
            "/_alias",
            "/_field_caps?fields=*",
            "/_resolve/index/*",
            "/_search_shards",
            "/_validate/query?q=v:x&explain=true",
            "/_cluster/state",
            "/_cluster/state/metadata/secret-1",
            "/_cluster/health?level=indices",
            "/_nodes/stats/indices?level=indices",
            "/_millrace/columns?columns=v&query=*:*",
            "/secret-1/_millrace/columns?columns=v")) {
      Answer answer = tried("GET", seen, "");
      assertFalse(
          seen + " -> " + answer, answer.status() == 200 && answer.text().contains("secret-1"));
    }
  }

  public void testAliasesOfOthers() throws Exception {
    setting();
    String add = "{\"actions\":[{\"add\":{\"index\":\"%s\",\"alias\":\"%s\"}}]}";
    forbidden("POST", "/_aliases", add.formatted("mine-1", "secret-alias"));
    forbidden("POST", "/_aliases", add.formatted("secret-1", "mine-alias"));
    forbidden("POST", "/_aliases", add.formatted("secret-*", "mine-alias"));
    forbidden("POST", "/_aliases", add.formatted("*", "mine-alias"));
    forbidden("POST", "/_aliases", "{\"actions\":[{\"remove_index\":{\"index\":\"secret-1\"}}]}");
    forbidden("POST", "/_aliases", "{\"actions\":[{\"remove_index\":{\"index\":\"secret*\"}}]}");
    forbidden("PUT", "/mine-2", "{\"aliases\":{\"secret-alias\":{}}}");
    forbidden("PUT", "/mine-1/_alias/secret-alias", "");
    assertStatus(
        200,
        tried("PUT", "/mine-000001", "{\"aliases\":{\"mine-alias\":{\"is_write_index\":true}}}"));
    forbidden("POST", "/mine-alias/_rollover/secret-2", "");
    forbidden("POST", "/mine-alias/_rollover", "{\"aliases\":{\"secret-alias\":{}}}");
    forbidden("POST", "/mine-alias/_rollover?dry_run=true", "{\"aliases\":{\"secret-alias\":{}}}");
    forbidden("POST", "/secret-1/_rollover", "");
    assertStatus(200, tried("POST", "/mine-alias/_rollover", ""));
  }

  public void testSnapshotsAndTheCluster() throws Exception {
    setting();
    for (String route :
        List.of(
            "GET /_snapshot",
            "GET /_snapshot/_all/_all",
            "POST /_snapshot/r/s/_restore",
            "PUT /_snapshot/r/s",
            "DELETE /_snapshot/r",
            "GET /_cluster/settings",
            "GET /_nodes",
            "GET /_nodes/hot_threads",
            "POST /_cluster/reroute",
            "POST /_nodes/reload_secure_settings",
            "GET /_index_template",
            "POST /_index_template/_simulate_index/secret-1",
            "GET /_scripts/x",
            "GET /_ingest/pipeline",
            "GET /_remote/info",
            "GET /_search/point_in_time/_all",
            "GET /_cat/pit_segments/_all",
            "GET /_prometheus/metrics",
            "GET /_millrace/access/users",
            "GET /_millrace/access/roles",
            "DELETE /_millrace/access/users/admin")) {
      int gap = route.indexOf(' ');
      forbidden(route.substring(0, gap), route.substring(gap + 1), "");
    }
  }

  public void testTasksOfOthers() throws Exception {
    setting();
    String owner = user("owner", "secret-*", "read");
    String copied = "{\"source\":{\"index\":\"mine-1\"},\"dest\":{\"index\":\"mine-4\"}}";
    Answer started = tried("POST", "/_reindex?wait_for_completion=false", copied);
    assertStatus(200, started);
    String task = started.string("task");
    assertBusy(
        () -> assertEquals(true, tried("GET", "/_tasks/" + task, "").at("completed")),
        60,
        TimeUnit.SECONDS);
    assertStatus(403, call(owner, "GET", "/_tasks/" + task));
    assertStatus(403, call(owner, "POST", "/_tasks/" + task + "/_cancel"));
    assertStatus(403, call(owner, "POST", "/_tasks/_cancel"));
    assertStatus(
        403, call(owner, "POST", "/_reindex/" + task + "/_rethrottle?requests_per_second=1"));
    forbidden("GET", "/.tasks/_search", "");
    Answer list = call(owner, "GET", "/_tasks?detailed");
    assertFalse(list.text(), list.text().contains("mallory"));
  }
}
