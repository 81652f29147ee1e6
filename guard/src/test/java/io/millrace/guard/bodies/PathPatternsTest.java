package io.millrace.guard.bodies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.rest.RestRequest;
import org.opensearch.test.rest.FakeRestRequest;

class PathPatternsTest {
  private static RestRequest request(String path) {
    return new FakeRestRequest.Builder(NamedXContentRegistry.EMPTY).withPath(path).build();
  }

  private static PathPatterns paths(int names, int most) {
    return new PathPatterns(() -> names, () -> most, "the.key");
  }

  @Test
  void aPartWithAStarIsOnePattern() {
    assertEquals(0, PathPatterns.count("/_cat/indices/a,b"));
    assertEquals(3, PathPatterns.count("/*a*b*,-*c,d/_stats/s*"));
  }

  @Test
  void patternsTimesNamesAreBounded() {
    String path = "/_cat/indices/" + "*a*,".repeat(100);
    assertNull(paths(10_000, 1_000_000).refusal(request(path)));
    OpenSearchStatusException refusal = paths(10_001, 1_000_000).refusal(request(path));
    assertNotNull(refusal);
    assertEquals(RestStatus.BAD_REQUEST, refusal.status());
    for (String each :
        List.of("[100] patterns", "[10001] names", "[1000100]", "[1000000] [the.key]")) {
      assertTrue(refusal.getMessage().contains(each), refusal.getMessage());
    }
    assertNotNull(paths(1 << 20, 1_000_000).refusal(request(path.replace("*", "%2A"))));
    assertNull(paths(1 << 20, 1_000_000).refusal(request("/_cat/indices/" + "a,".repeat(100))));
    assertNull(paths(10_001, 1_000_100).refusal(request(path)));
    assertEquals(Map.of(), request(path).params());
  }
}
