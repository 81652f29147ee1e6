package io.millrace.corpus;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * An endless, deterministic sequence of JSON documents. Not thread-safe: one source per thread,
 * each with its own seed.
 */
public interface DocumentSource {
  /** Appends the next document, one line of JSON without a line feed. */
  void next(JsonBuffer out);

  /** The next document as its own array. */
  default byte[] next() {
    JsonBuffer out = new JsonBuffer(512);
    next(out);
    return out.toByteArray();
  }

  /**
   * Writes documents one per line.
   *
   * @return bytes written
   */
  default long writeNdjson(OutputStream out, long documents) throws IOException {
    JsonBuffer buffer = new JsonBuffer(1 << 17);
    long written = 0;
    for (long i = 0; i < documents; i++) {
      next(buffer);
      buffer.raw('\n');
      if (buffer.size() > 1 << 16) {
        buffer.writeTo(out);
        written += buffer.size();
        buffer.clear();
      }
    }
    buffer.writeTo(out);
    return written + buffer.size();
  }

  /**
   * Appends a body for {@code POST /{index}/_bulk}: an action line without index and id before each
   * document, so the node chooses the ids.
   */
  default void bulkBody(JsonBuffer out, int documents) {
    byte[] action = "{\"create\":{}}\n".getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < documents; i++) {
      out.raw(action);
      next(out);
      out.raw('\n');
    }
  }
}
