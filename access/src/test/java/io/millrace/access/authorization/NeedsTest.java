package io.millrace.access.authorization;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.access.store.ClusterPrivilege;
import io.millrace.access.store.IndexPrivilege;
import java.util.List;
import org.junit.jupiter.api.Test;

class NeedsTest {
  private final Needs needs = new Needs();

  private Need.Kind kind(String action) {
    return needs.of(action).kind();
  }

  @Test
  void whatNoRuleKnowsIsTheSuperusers() {
    for (String action :
        List.of(
            "", "*", "indices", "indices:", "cluster:", "plugin:stats", "INDICES:data/read/get")) {
      assertEquals(Need.Kind.UNKNOWN, kind(action), action);
    }
  }

  @Test
  void documentsNeedWhatIsDoneToThem() {
    assertEquals(IndexPrivilege.Bits.READ, needs.of("indices:data/read/search").bits());
    assertEquals(IndexPrivilege.Bits.READ, needs.of("indices:data/read/get").bits());
    assertEquals(IndexPrivilege.Bits.WRITE, needs.of("indices:data/write/update").bits());
    assertEquals(Need.Kind.PARTS, kind("indices:data/write/bulk"));
    assertEquals(Need.Kind.SHARD_BULK, kind("indices:data/write/bulk[s]"));
    assertEquals(IndexPrivilege.Bits.MANAGE, needs.of("indices:admin/delete").bits());
    assertEquals(IndexPrivilege.Bits.MONITOR, needs.of("indices:admin/get").bits());
  }

  @Test
  void theFirstRuleThatFitsCounts() {
    assertEquals(Need.Kind.SUPERUSER, kind("cluster:admin/millrace/access/any"));
    assertEquals(Need.Kind.ANYBODY, kind("cluster:admin/millrace/access/own"));
    assertEquals(ClusterPrivilege.SNAPSHOT, needs.of("cluster:admin/snapshot/restore").cluster());
    assertEquals(ClusterPrivilege.MANAGE, needs.of("cluster:admin/reroute").cluster());
    assertEquals(ClusterPrivilege.MONITOR, needs.of("cluster:monitor/state").cluster());
    assertEquals(Need.Kind.SUPERUSER, kind("internal:cluster/coordination/join"));
    assertEquals(Need.Kind.SCROLL, kind("indices:data/read/scroll"));
    assertEquals(Need.Kind.CLEAR_SCROLL, kind("indices:data/read/scroll/clear"));
  }
}
