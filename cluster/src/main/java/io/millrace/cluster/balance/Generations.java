package io.millrace.cluster.balance;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;

/**
 * The newest two generations of each series of indices. A series is what has the same name but for
 * its digits: {@code logs-2026.11.22} and {@code logs-2026.11.23}, or the backing indices of a data
 * stream.
 */
final class Generations {
  private final Map<String, IndexMetadata[]> newest = new HashMap<>();

  Generations(Metadata metadata) {
    for (IndexMetadata index : metadata) {
      String name = name(index.getIndex().getName());
      if (name.indexOf('#') >= 0) {
        add(newest.computeIfAbsent(name, any -> new IndexMetadata[2]), index);
      }
    }
  }

  private static void add(IndexMetadata[] two, IndexMetadata index) {
    if (two[0] == null || later(index, two[0])) {
      two[1] = two[0];
      two[0] = index;
    } else if (two[1] == null || later(index, two[1])) {
      two[1] = index;
    }
  }

  private static boolean later(IndexMetadata index, IndexMetadata other) {
    if (index.getCreationDate() != other.getCreationDate()) {
      return index.getCreationDate() > other.getCreationDate();
    }
    return index.getIndex().getName().compareTo(other.getIndex().getName()) > 0;
  }

  /** The name with one {@code #} for each run of digits. */
  static String name(String index) {
    StringBuilder name = new StringBuilder(index.length());
    boolean digits = false;
    for (int i = 0; i < index.length(); i++) {
      char c = index.charAt(i);
      boolean digit = c >= '0' && c <= '9';
      if (!digit) {
        name.append(c);
      } else if (!digits) {
        name.append('#');
      }
      digits = digit;
    }
    return name.toString();
  }

  private IndexMetadata @Nullable [] of(IndexMetadata index) {
    return newest.get(name(index.getIndex().getName()));
  }

  /** The generation before an index that is the newest one; null for any other. */
  @Nullable IndexMetadata before(IndexMetadata index) {
    IndexMetadata[] two = of(index);
    return two != null && two[0].getIndex().equals(index.getIndex()) ? two[1] : null;
  }

  /** The newest generation where the index is the one before it; null for any other. */
  @Nullable IndexMetadata after(IndexMetadata index) {
    IndexMetadata[] two = of(index);
    return two != null && two[1] != null && two[1].getIndex().equals(index.getIndex())
        ? two[0]
        : null;
  }
}
