package io.millrace.search.columns;

import io.millrace.kernel.settings.Switch;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestRequest.Method;
import org.opensearch.rest.RestResponse;
import org.opensearch.rest.action.RestCancellableNodeClient;
import org.opensearch.rest.action.RestResponseListener;
import org.opensearch.rest.action.search.RestSearchAction;
import org.opensearch.transport.client.node.NodeClient;

/** {@code GET /{index}/_millrace/columns}. */
final class RestColumnsAction extends BaseRestHandler {
  private final Switch enabled;

  RestColumnsAction(Switch enabled) {
    this.enabled = enabled;
  }

  @Override
  public String getName() {
    return "millrace_columns_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(
        new Route(Method.GET, "/_millrace/columns"),
        new Route(Method.POST, "/_millrace/columns"),
        new Route(Method.GET, "/{index}/_millrace/columns"),
        new Route(Method.POST, "/{index}/_millrace/columns"));
  }

  @Override
  protected Set<String> responseParams() {
    return Set.of(RestSearchAction.TOTAL_HITS_AS_INT_PARAM, RestSearchAction.TYPED_KEYS_PARAM);
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client)
      throws IOException {
    if (!enabled.on()) {
      throw new IllegalArgumentException(
          "[" + enabled.setting().getKey() + "] is [false]; set it to true, or ask _search");
    }
    ColumnsRequest columns = ColumnsRequest.of(request, client.getNamedWriteableRegistry());
    return channel ->
        new RestCancellableNodeClient(client, request.getHttpChannel())
            .search(
                columns.search(),
                new RestResponseListener<SearchResponse>(channel) {
                  @Override
                  public RestResponse buildResponse(SearchResponse response) throws Exception {
                    return answer(columns, response);
                  }
                });
  }

  private static RestResponse answer(ColumnsRequest asked, SearchResponse response)
      throws IOException {
    ColumnTable table = ColumnTable.of(response.getHits().getHits(), asked.columns());
    BytesRestResponse answer =
        new BytesRestResponse(
            RestStatus.OK, asked.format().contentType(), asked.format().write(table, response));
    answer.addHeader("Millrace-Rows", Integer.toString(table.rows()));
    answer.addHeader("Millrace-Timed-Out", Boolean.toString(response.isTimedOut()));
    answer.addHeader("Millrace-Failed-Shards", Integer.toString(response.getFailedShards()));
    String last = ColumnFormat.lastAsJson(response);
    if (last != null && last.chars().allMatch(each -> each >= ' ' && each < 127)) {
      answer.addHeader("Millrace-Search-After", last);
    }
    return answer;
  }
}
