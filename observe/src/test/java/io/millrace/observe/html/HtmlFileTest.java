package io.millrace.observe.html;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
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

class HtmlFileTest {
  private static final byte[] SMALL =
      "<style>a</style><script>alert(1)</script>".getBytes(StandardCharsets.UTF_8);

  private final HtmlFile page = new HtmlFile(SMALL);

  private static RestRequest request(String path, Map<String, List<String>> headers) {
    return new FakeRestRequest.Builder(NamedXContentRegistry.EMPTY)
        .withPath(path)
        .withHeaders(headers)
        .build();
  }

  @Test
  void thePolicyNamesExactlyWhatIsInTheFile() {
    // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
    assertTrue(
        page.policy().contains("script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=';"),
        page.policy());
    assertTrue(
        page.policy().contains("style-src 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=';"),
        page.policy());
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
  void aFileThatTheJarLacksIsNamed() {
    IllegalStateException lacking =
        assertThrows(IllegalStateException.class, () -> HtmlFile.beside(HtmlFileTest.class));
    assertTrue(lacking.getMessage().contains("HtmlFileTest"), lacking.getMessage());
  }
}
