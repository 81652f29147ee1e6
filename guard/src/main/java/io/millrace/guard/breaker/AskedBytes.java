package io.millrace.guard.breaker;

import java.io.IOException;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.core.common.io.stream.StreamOutput;

/**
 * How long the searches of one request are: a stream that keeps nothing but the number of bytes.
 */
final class AskedBytes extends StreamOutput {
  /**
   * What a search takes of its length while it runs: the text that it came as or that a template
   * made of it, what was parsed, its description in the list of tasks, and the same on the shard.
   */
  private static final int COPIES = 8;

  private long bytes;

  /** What they take while they wait and run, bytes; 0 where they cannot be sent. */
  static long of(MultiSearchRequest searches) {
    AskedBytes asked = new AskedBytes();
    try {
      for (SearchRequest search : searches.requests()) {
        if (search.source() != null) {
          search.source().writeTo(asked);
        }
      }
    } catch (IOException | RuntimeException e) {
      return 0; // one that needs to be rewritten first
    }
    return COPIES * asked.bytes;
  }

  @Override
  public void writeByte(byte b) {
    bytes++;
  }

  @Override
  public void writeBytes(byte[] b, int offset, int length) {
    bytes += length;
  }

  @Override
  public void writeString(String text) {
    bytes += text.length();
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  @Override
  public void reset() {}
}
