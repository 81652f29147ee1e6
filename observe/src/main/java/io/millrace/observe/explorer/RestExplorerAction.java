package io.millrace.observe.explorer;

import io.millrace.kernel.settings.Switch;
import io.millrace.observe.html.HtmlFile;
import java.util.List;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.transport.client.node.NodeClient;

/**
 * {@code GET /_millrace/explore}: the page. What it looks at stands behind {@code #} in its
 * address, which a browser keeps to itself: no log of a proxy sees what somebody searches.
 */
final class RestExplorerAction extends BaseRestHandler {
  static final String PATH = "/_millrace/explore";

  final HtmlFile file = HtmlFile.beside(RestExplorerAction.class);
  private final Switch enabled;

  RestExplorerAction(Switch enabled) {
    this.enabled = enabled;
  }

  @Override
  public String getName() {
    return "millrace_explorer_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(Method.GET, PATH));
  }

  /** A node in trouble still hands out the page, as it does the dashboard. */
  @Override
  public boolean canTripCircuitBreaker() {
    return false;
  }

  /**
   * The page; 404 with the setting's name while it is off. With a slash at the end a redirect: the
   * page's own requests are relative to {@code /_millrace/}.
   */
  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    if (!enabled.on()) {
      return channel ->
          channel.sendResponse(
              new BytesRestResponse(
                  RestStatus.NOT_FOUND,
                  "["
                      + PATH
                      + "] is switched off; set ["
                      + enabled.setting().getKey()
                      + "] to true"));
    }
    if (request.rawPath().endsWith("/")) {
      return channel -> {
        BytesRestResponse moved =
            new BytesRestResponse(
                RestStatus.MOVED_PERMANENTLY,
                BytesRestResponse.TEXT_CONTENT_TYPE,
                BytesArray.EMPTY);
        moved.addHeader("Location", "../explore");
        channel.sendResponse(moved);
      };
    }
    return channel -> channel.sendResponse(file.answer(request));
  }
}
