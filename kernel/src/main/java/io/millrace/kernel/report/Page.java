package io.millrace.kernel.report;

import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;

/**
 * A page for browsers at a path that an API has, too: {@code /_millrace/} and {@code /_millrace}
 * are one path to OpenSearch ({@code PathTrie} drops the last slash), so the handler of {@code
 * /_millrace} asks the pages first.
 */
public interface Page {
  /** Whether a request is for the page and not for the API of the same path. */
  boolean wants(RestRequest request);

  /** The page. */
  RestResponse answer(RestRequest request);
}
