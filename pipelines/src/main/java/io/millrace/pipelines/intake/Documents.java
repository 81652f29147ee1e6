package io.millrace.pipelines.intake;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.index.IndexRequest;

/** The documents of one request, made one at a time. */
public interface Documents {
  /**
   * The next one; null after the last.
   *
   * @throws MalformedBodyException when what was sent is not what it says it is
   */
  @Nullable IndexRequest next() throws IOException;

  /** How many records were left out, because they break a limit of this node. */
  default long left() {
    return 0;
  }

  /** Why the first of them was left out; empty without one. */
  default String leftBecause() {
    return "";
  }
}
