package io.millrace.access.login;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.rest.RestRequest.Method;

class CrossSiteTest {
  private static boolean writes(String... headers) {
    return CrossSite.writes(Method.POST, map(headers)::get);
  }

  private static Map<String, String> map(String... headers) {
    Map<String, String> map = new java.util.HashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      map.put(headers[i], headers[i + 1]);
    }
    return map;
  }

  @Test
  void whatABrowserSaysOfAPageDecides() {
    assertTrue(writes("Sec-Fetch-Site", "cross-site", "Host", "a:9200"));
    assertTrue(writes("Sec-Fetch-Site", "same-site", "Origin", "http://a:9200", "Host", "a:9200"));
    assertTrue(writes("Sec-Fetch-Site", "something new"));
    assertFalse(
        writes("Sec-Fetch-Site", "same-origin", "Origin", "https://proxy", "Host", "a:9200"));
    assertFalse(writes("Sec-Fetch-Site", "none"));
  }

  @Test
  void withoutItOriginAndRefererDo() {
    assertTrue(writes("Origin", "http://evil", "Host", "a:9200"));
    assertTrue(writes("Origin", "http://a:9201", "Host", "a:9200"));
    assertTrue(writes("Origin", "null", "Host", "a:9200"));
    assertTrue(writes("Origin", "http://a:9200.evil", "Host", "a:9200"));
    assertTrue(writes("Origin", "http://a:9200@evil", "Host", "a:9200"));
    assertTrue(writes("Origin", "http://evil", "Referer", "http://a:9200/", "Host", "a:9200"));
    assertTrue(writes("Referer", "http://evil/a:9200", "Host", "a:9200"));
    assertTrue(writes("Referer", "no page at all", "Host", "a:9200"));
    assertTrue(writes("Origin", "http://evil"));
    assertFalse(writes("Origin", "http://A:9200", "Host", "a:9200"));
    assertFalse(writes("Origin", "https://a", "Host", "a:443"));
    assertFalse(writes("Origin", "http://a:80", "Host", "a"));
    assertFalse(writes("Referer", "http://a:9200/_millrace/explore", "Host", "a:9200"));
  }

  @Test
  void otherClientsAndReadingAreFree() {
    assertFalse(writes());
    assertFalse(writes("Host", "a:9200"));
    for (Method method : List.of(Method.GET, Method.HEAD, Method.OPTIONS)) {
      assertFalse(CrossSite.writes(method, map("Sec-Fetch-Site", "cross-site")::get));
    }
    for (Method method : List.of(Method.PUT, Method.DELETE, Method.PATCH, Method.POST)) {
      assertTrue(CrossSite.writes(method, map("Origin", "http://evil")::get));
    }
  }
}
