package io.millrace.access.store;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.access.store.IndexPrivilege.Bits;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.Version;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.settings.Settings;

class PermissionsTest {
  private static Role role(String pattern, String... privileges) {
    return Role.parse(
        "r",
        Map.of(
            "indices",
            List.of(Map.of("names", List.of(pattern), "privileges", List.of(privileges)))));
  }

  private static IndexMetadata.Builder index(String name) {
    return IndexMetadata.builder(name)
        .settings(Settings.builder().put(IndexMetadata.SETTING_VERSION_CREATED, Version.CURRENT))
        .numberOfShards(1)
        .numberOfReplicas(0);
  }

  @Test
  void aPatternGivesWhatItMatches() {
    Metadata none = Metadata.EMPTY_METADATA;
    Permissions mine = Permissions.of(List.of(role("mine-*", "read")));
    assertTrue(mine.may(none, "mine-1", Bits.READ));
    assertTrue(mine.may(none, "mine-1", Bits.MONITOR));
    assertFalse(mine.may(none, "mine-1", Bits.WRITE));
    assertFalse(mine.may(none, "mine", Bits.READ));
    assertFalse(mine.may(none, "other", Bits.READ));
    assertFalse(mine.everyIndex(Bits.READ));
    Permissions all = Permissions.of(List.of(role("*", "all")));
    assertTrue(all.everyIndex(Bits.READ | Bits.MANAGE));
    assertFalse(all.may(none, ".hidden", Bits.READ), "needs a pattern with a full stop");
    assertTrue(Permissions.of(List.of(role(".*", "all"))).may(none, ".hidden", Bits.READ));
    assertFalse(all.superuser());
  }

  @Test
  void anAliasGivesItsIndexUnlessItHasAFilter() {
    Metadata metadata =
        Metadata.builder()
            .put(index("a").putAlias(AliasMetadata.builder("open-a")))
            .put(index("b").putAlias(AliasMetadata.builder("cut-b").filter("{\"term\":{\"n\":1}}")))
            .put(index("c").putAlias(AliasMetadata.builder("open-ac")))
            .build();
    Permissions open = Permissions.of(List.of(role("open-*", "read")));
    assertTrue(open.may(metadata, "open-a", Bits.READ));
    assertTrue(open.may(metadata, "a", Bits.READ));
    assertTrue(open.may(metadata, "c", Bits.READ));
    assertFalse(open.may(metadata, "b", Bits.READ));
    Permissions cut = Permissions.of(List.of(role("cut-*", "read")));
    assertFalse(cut.may(metadata, "cut-b", Bits.READ));
    assertFalse(cut.may(metadata, "b", Bits.READ));
  }

  @Test
  void rolesAddUpAndAKeyIsLimited() {
    Metadata none = Metadata.EMPTY_METADATA;
    Permissions owner = Permissions.of(List.of(role("a-*", "read"), role("b-*", "all")));
    assertTrue(owner.may(none, "a-1", Bits.READ));
    assertTrue(owner.may(none, "b-1", Bits.WRITE));
    Permissions key = Permissions.of(List.of(role("*", "all"))).within(owner);
    assertTrue(key.may(none, "a-1", Bits.READ));
    assertFalse(key.may(none, "a-1", Bits.WRITE));
    assertFalse(key.may(none, "c-1", Bits.READ));
    assertFalse(key.everyIndex(Bits.READ));
    Permissions root = Permissions.of(List.of(BuiltInRoles.all().get(BuiltInRoles.SUPERUSER)));
    assertFalse(root.within(owner).superuser());
    assertFalse(root.within(owner).may(none, "c-1", Bits.READ));
    assertFalse(Permissions.of(List.of()).may(none, "a", Bits.READ), "nobody");
  }
}
