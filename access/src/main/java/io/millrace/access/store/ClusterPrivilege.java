package io.millrace.access.store;

import java.util.Arrays;
import java.util.Locale;

/** What a role may allow on the cluster as a whole. */
public enum ClusterPrivilege {
  /** Nodes, health, statistics, tasks, and the names and mappings of all indices. */
  MONITOR(1),
  /** Cluster settings, templates, pipelines, stored scripts, shards, other people's tasks. */
  MANAGE(1 | 1 << 1),
  /** Repositories, snapshots and restoring: whoever has it can read every index. */
  SNAPSHOT(1 << 2);

  private final int bits;

  ClusterPrivilege(int bits) {
    this.bits = bits;
  }

  /** The bits that it gives; the one that it alone gives is what actions ask for. */
  public int bits() {
    return bits;
  }

  /** Whether these bits include it. */
  public boolean in(int given) {
    return (given & bits) == bits;
  }

  /** As roles write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static ClusterPrivilege of(String what, String text) {
    return Arrays.stream(values())
        .filter(each -> each.text().equals(text))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                what
                    + ": [cluster] has ["
                    + text
                    + "]; give some of "
                    + Arrays.stream(values()).map(ClusterPrivilege::text).toList()));
  }
}
