package io.millrace.observe.dashboard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.test.rest.FakeRestRequest;

class DashboardPageTest {
  private final DashboardPage page = new DashboardPage(() -> true);

  private static RestRequest request(String path, Map<String, List<String>> headers) {
    return new FakeRestRequest.Builder(NamedXContentRegistry.EMPTY)
        .withPath(path)
        .withHeaders(headers)
        .build();
  }

  @Test
  void onlyThePathWithASlashIsThePage() {
    assertTrue(page.wants(request("/_millrace/", Map.of())));
    assertFalse(page.wants(request("/_millrace", Map.of())));
    assertFalse(new DashboardPage(() -> false).wants(request("/_millrace/", Map.of())));
  }

  @Test
  void thePolicyNamesExactlyWhatIsInTheFile() {
    DashboardPage small =
        new DashboardPage(
            () -> true,
            "<style>a</style><script>alert(1)</script>".getBytes(StandardCharsets.UTF_8));
    // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
    assertTrue(
        small
            .policy()
            .contains("script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=';"),
        small.policy());
    assertTrue(
        small.policy().contains("style-src 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=';"),
        small.policy());
    assertFalse(page.policy().contains("unsafe"), page.policy());
    assertFalse(page.policy().contains("'none';script"), page.policy());
  }

  @Test
  void aBrowserThatHasItGetsNothing() {
    RestResponse first = page.answer(request("/_millrace/", Map.of()));
    assertEquals(RestStatus.OK, first.status());
    assertEquals("text/html; charset=UTF-8", first.contentType());
    String etag = first.getHeaders().get("ETag").getFirst();
    RestResponse again =
        page.answer(request("/_millrace/", Map.of("If-None-Match", List.of("W/" + etag))));
    assertEquals(RestStatus.NOT_MODIFIED, again.status());
    assertEquals(0, again.content().length());
    assertEquals(
        RestStatus.OK,
        page.answer(request("/_millrace/", Map.of("if-none-match", List.of("\"old\"")))).status());
  }

  @Test
  void itIsSmallAndAsksNobodyElse() {
    String html = page.answer(request("/_millrace/", Map.of())).content().utf8ToString();
    assertTrue(page.size() <= 300 * 1024, page.size() + " bytes");
    assertFalse(html.contains("src=\"http"), "an external script or image");
    assertFalse(html.contains("<link rel=\"stylesheet"), "an external style");
  }
}
