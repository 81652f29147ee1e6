package io.millrace.search.deadline;

import io.millrace.kernel.channel.PassingTransportChannel;
import java.io.IOException;
import org.opensearch.ExceptionsHelper;
import org.opensearch.search.query.QueryPhase.TimeExceededException;
import org.opensearch.transport.TransportChannel;

/**
 * Searches a shard once more, for nothing, where the end of its time came out as a failure.
 *
 * <p>Stock's look at the clock throws from wherever terms and points are read, and is caught where
 * documents are collected only (ContextIndexSearcher#searchLeaf at 3.8.0): not while a post filter
 * is made, a single term is counted, or the place of a {@code search_after} is looked for. The
 * second search has no documents, so that it ends at once, and answers what every search of this
 * shard answers that has timed out.
 */
final class SecondSearch extends PassingTransportChannel {
  private final Again again;

  /** The same search, of no documents. */
  @FunctionalInterface
  interface Again {
    /**
     * Runs it.
     *
     * @throws Exception as the handler of the request
     */
    void search() throws Exception;
  }

  /**
   * @param in takes the answer of the second search, and every other answer
   * @param again called once at most
   */
  SecondSearch(TransportChannel in, Again again) {
    super(in);
    this.again = again;
  }

  @Override
  public void sendResponse(Exception exception) throws IOException {
    if (ExceptionsHelper.unwrap(exception, TimeExceededException.class) == null) {
      super.sendResponse(exception);
      return;
    }
    try {
      again.search();
    } catch (Exception e) {
      e.addSuppressed(exception);
      super.sendResponse(e);
    }
  }
}
