package io.millrace.observe.dashboard;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.rest.RestRequest;
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
  void itIsSmallAndAsksNobodyElse() {
    String html = page.answer(request("/_millrace/", Map.of())).content().utf8ToString();
    assertTrue(page.file.size() <= 300 * 1024, page.file.size() + " bytes");
    assertFalse(html.contains("src=\"http"), "an external script or image");
    assertFalse(html.contains("<link rel=\"stylesheet"), "an external style");
  }
}
