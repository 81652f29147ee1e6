package io.millrace.guard.bodies;

import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.RestRequest;

/**
 * Refuses a path with so many patterns that resolving them would hold a thread of the network for
 * seconds: each pattern is compared with the name of every index and alias of the cluster
 * (IndexNameExpressionResolver.WildcardExpressionResolver at 3.8.0), and the health of the node is
 * asked on the same threads.
 */
public final class PathPatterns {
  /** A path that is shorter has too few patterns for any cluster. */
  private static final int SHORT = 128;

  private final IntSupplier names;
  private final IntSupplier most;
  private final String key;

  /**
   * Judges paths.
   *
   * @param names of indices, aliases and data streams that the cluster has
   * @param most comparisons of one request
   * @param key of the setting that says so
   */
  public PathPatterns(IntSupplier names, IntSupplier most, String key) {
    this.names = names;
    this.most = most;
    this.key = key;
  }

  /** Why a request is refused; {@code null} where it may go on. */
  @Nullable OpenSearchStatusException refusal(RestRequest request) {
    if (request.rawPath().length() < SHORT) {
      return null;
    }
    int patterns = count(request.path());
    long compared = patterns == 0 ? 0 : (long) patterns * names.getAsInt();
    int allowed = most.getAsInt();
    return compared <= allowed
        ? null
        : new OpenSearchStatusException(
            "[request] the path has [{}] patterns, each of which is compared with [{}] names of"
                + " indices and aliases: [{}] comparisons, more than [{}] [{}]; name the"
                + " indices, write fewer patterns, or raise the limit",
            RestStatus.BAD_REQUEST,
            patterns,
            names.getAsInt(),
            compared,
            allowed,
            key);
  }

  /** Parts between commas and slashes that have a {@code *} in them. */
  static int count(String path) {
    int count = 0;
    boolean pattern = false;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == ',' || c == '/') {
        pattern = false;
      } else if (c == '*' && !pattern) {
        pattern = true;
        count++;
      }
    }
    return count;
  }
}
