package io.millrace.write.lenientparsing;

import org.opensearch.index.IndexSettings;

/**
 * Names of more parts than {@code index.mapping.depth.limit} allows objects. No mapping takes them,
 * and stock's parser needs seconds to find that out for a name of a thousand parts, so they are not
 * given to it.
 */
public final class DepthLimit {
  private DepthLimit() {}

  /**
   * Whether a field of this full name would stand below more objects than the limit.
   *
   * <p>MappingLookup#checkObjectDepthLimit: the last object of a name of n dots has n + 1 levels.
   */
  public static boolean isBelow(IndexSettings settings, String path) {
    return path.chars().filter(c -> c == '.').count() >= settings.getMappingDepthLimit();
  }
}
