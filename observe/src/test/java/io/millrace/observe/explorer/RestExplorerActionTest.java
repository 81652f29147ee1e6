package io.millrace.observe.explorer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.kernel.Feature;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.rest.RestResponse;
import org.opensearch.test.rest.FakeRestChannel;
import org.opensearch.test.rest.FakeRestRequest;

class RestExplorerActionTest {
  private static final NamedXContentRegistry NONE = NamedXContentRegistry.EMPTY;

  private static RestResponse get(boolean on, String path) throws Exception {
    RestExplorerAction page = new RestExplorerAction(Feature.switchFor("observe.explorer", on));
    FakeRestRequest request = new FakeRestRequest.Builder(NONE).withPath(path).build();
    FakeRestChannel channel = new FakeRestChannel(request, false, 1);
    page.handleRequest(request, channel, null);
    return channel.capturedResponse();
  }

  @Test
  void oneSmallFileThatAsksNobodyElse() throws Exception {
    RestResponse page = get(true, "/_millrace/explore");
    assertEquals(RestStatus.OK, page.status());
    assertEquals("text/html; charset=UTF-8", page.contentType());
    String html = page.content().utf8ToString();
    assertTrue(page.content().length() <= 100_000, page.content().length() + " bytes");
    assertFalse(html.contains("src=\"http"), "an external script or image");
    assertFalse(html.contains("<link rel=\"stylesheet"), "an external style");
    String policy = page.getHeaders().get("Content-Security-Policy").getFirst();
    assertTrue(policy.startsWith("default-src 'none'; script-src 'sha256-"), policy);
    assertFalse(policy.contains("unsafe"), policy);
  }

  @Test
  void aSlashAtTheEndLeadsToThePage() throws Exception {
    RestResponse moved = get(true, "/_millrace/explore/");
    assertEquals(RestStatus.MOVED_PERMANENTLY, moved.status());
    assertEquals(List.of("../explore"), moved.getHeaders().get("Location"));
  }

  @Test
  void offNamesItsSetting() throws Exception {
    RestResponse off = get(false, "/_millrace/explore");
    assertEquals(RestStatus.NOT_FOUND, off.status());
    String text = off.content().utf8ToString();
    assertTrue(text.contains("[millrace.observe.explorer.enabled]"), text);
  }
}
