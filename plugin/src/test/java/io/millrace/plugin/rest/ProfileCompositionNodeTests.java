package io.millrace.plugin.rest;

import java.io.IOException;
import org.junit.Before;

/** The profiles of the whole build: what each domain contributes, and what takes it back. */
public class ProfileCompositionNodeTests extends RestNodeTestCase {
  private static final String[] OF_ZSTANDARD = {
    "index.millrace.columnar_source.enabled", "index.millrace.packed_ids.enabled"
  };

  /** The test framework's own template would override what a profile sets. */
  @Before
  public void withoutTemplate() throws IOException {
    ok("DELETE", "/_template/random_index_template");
  }

  private Answer created(String index, String settings) throws IOException {
    ok("PUT", "/" + index, "{\"settings\":{\"index.millrace.profile\":\"logs\"" + settings + "}}");
    return ok("GET", "/" + index + "/_settings?flat_settings=true");
  }

  private static Object setting(Answer answer, String index, String key) {
    return answer.at(index + ".settings." + key.replace(".", "\\."));
  }

  private void cluster(String key, String value) throws IOException {
    ok("PUT", "/_cluster/settings", "{\"transient\":{\"" + key + "\":" + value + "}}");
  }

  public void testDomainsContribute() throws IOException {
    Answer logs = created("logs", "");
    assertEquals("30s", setting(logs, "logs", "index.refresh_interval"));
    assertEquals("zstandard", setting(logs, "logs", "index.codec"));
    for (String key : OF_ZSTANDARD) {
      assertEquals(key, "true", setting(logs, "logs", key));
    }
    assertEquals("true", setting(logs, "logs", "index.millrace.lenient_parsing.enabled"));
  }

  public void testNullAndAnotherValueTakeBack() throws IOException {
    Answer plain = created("plain", ",\"index.codec\":null,\"index.refresh_interval\":null");
    assertNull(setting(plain, "plain", "index.codec"));
    assertNull(setting(plain, "plain", "index.refresh_interval"));
    assertEquals("1gb", setting(plain, "plain", "index.translog.flush_threshold_size"));
    Answer best = created("best", ",\"index.codec\":\"best_compression\"");
    assertEquals("best_compression", setting(best, "best", "index.codec"));
    for (String key : OF_ZSTANDARD) {
      assertNull(key, setting(plain, "plain", key));
      assertNull(key, setting(best, "best", key));
    }
    Answer rows = created("rows", ",\"" + OF_ZSTANDARD[0] + "\":false");
    assertEquals("false", setting(rows, "rows", OF_ZSTANDARD[0]));
    assertEquals("zstandard", setting(rows, "rows", "index.codec"));
  }

  public void testANameStandsForAProfile() throws IOException {
    cluster("millrace.write.profiles.indices.logs", "[\"logs-*\"]");
    try {
      ok("PUT", "/logs-shop/_doc/1", "{\"message\":\"hello\"}");
      Answer named = ok("GET", "/logs-shop/_settings?flat_settings=true");
      assertEquals("logs", setting(named, "logs-shop", "index.millrace.profile"));
      assertEquals("30s", setting(named, "logs-shop", "index.refresh_interval"));
      ok("PUT", "/logs-none", "{\"settings\":{\"index.millrace.profile\":\"none\"}}");
      Answer none = ok("GET", "/logs-none/_settings?flat_settings=true");
      assertNull(setting(none, "logs-none", "index.codec"));
      ok("PUT", "/logs-bare", "{\"mappings\":{\"_source\":{\"enabled\":false}}}");
      ok("PUT", "/logs-bare/_doc/1", "{\"message\":\"hello\"}");
    } finally {
      cluster("millrace.write.profiles.indices.logs", "null");
    }
  }

  public void testIdsHaveOneDictionaryBesidePackedIdsOnly() throws IOException {
    String key = "index.millrace.ordinal_postings.fields";
    Object ids = setting(created("with-ids", ""), "with-ids", key);
    assertTrue(String.valueOf(ids), String.valueOf(ids).startsWith("*trace_id,*trace_id.keyword,"));
    Answer plain = created("plain-codec", ",\"index.codec\":\"default\"");
    assertNull(setting(plain, "plain-codec", key));
    Answer own = created("own-ids", ",\"" + key + "\":\"order_id\"");
    assertEquals("order_id", setting(own, "own-ids", key));
    ok(
        "PUT",
        "/with-ids/_doc/1?refresh=true",
        "{\"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\"}");
    Answer found =
        ok("GET", "/with-ids/_search?q=trace_id.keyword:4bf92f3577b34da6a3ce929d0e0e4736");
    assertEquals(1, found.at("hits.total.value"));
  }

  public void testAFeatureThatIsOffContributesNothing() throws IOException {
    cluster("millrace.storage.zstandard.enabled", "false");
    try {
      Answer logs = created("without", "");
      assertNull(setting(logs, "without", "index.codec"));
      assertEquals("30s", setting(logs, "without", "index.refresh_interval"));
    } finally {
      cluster("millrace.storage.zstandard.enabled", "null");
    }
    cluster("millrace.write.profiles.enabled", "false");
    try {
      Answer logs = created("unprofiled", "");
      assertNull(setting(logs, "unprofiled", "index.codec"));
      assertNull(setting(logs, "unprofiled", "index.refresh_interval"));
    } finally {
      cluster("millrace.write.profiles.enabled", "null");
    }
  }

  /** What people ask for and do not get is answered by the node, and by the page of profiles. */
  public void testWhatAProfileLeavesOutIsSaidWithAReason() throws IOException {
    Answer all = ok("GET", "/_millrace/profiles");
    for (String profile : new String[] {"logs", "traces"}) {
      for (String key :
          new String[] {
            "index.bulk_routing.enabled",
            "index.millrace.merge.policy",
            "millrace.storage.merge.cold_after",
            "index.millrace.file_access",
            "index.mapping.keyword.truncate",
            "skip_list"
          }) {
        String at = "left_out." + key.replace(".", "\\.");
        Object reason = all.at(profile + "." + at);
        assertTrue(key, reason instanceof String text && text.length() > 20);
        assertEquals(reason, ok("GET", "/_millrace/profiles/" + profile).at("_meta." + at));
      }
    }
    Answer template = ok("GET", "/_millrace/profiles/logs");
    assertEquals(
        all.at("logs.settings.index\\.codec.reason"),
        template.at("_meta.settings.index\\.codec.reason"));
    assertNotNull(all.at("search.left_out.index\\.millrace\\.file_access"));
  }

  public void testEveryEntryHasAReason() throws IOException {
    Answer all = ok("GET", "/_millrace/profiles");
    for (String key : new String[] {"index.refresh_interval", "index.codec"}) {
      String at = "logs.settings." + key.replace(".", "\\.");
      assertFalse(key, String.valueOf(all.at(at + ".reason")).isBlank());
      assertNotNull(key, all.at(at + ".value"));
    }
    assertTrue(
        String.valueOf(all.at("logs.settings.index\\.refresh_interval.reason")).contains("30 s"));
    assertEquals("5s", all.at("logs.freshness"));
    assertEquals(400, call("GET", "/_millrace/profiles/log").status());
  }
}
