package io.millrace.kernel.slot;

import java.util.List;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.index.Index;
import org.opensearch.index.IndexSettings;
import org.opensearch.test.IndexSettingsModule;
import org.opensearch.test.OpenSearchTestCase;

/** Which indices get the folded engine. */
public class EngineSlotTest extends OpenSearchTestCase {
  private static EngineExtension wanting(boolean wants) {
    return settings -> wants;
  }

  private static IndexSettings index(Settings settings) {
    return IndexSettingsModule.newIndexSettings(new Index("index", "uuid"), settings);
  }

  public void testStaysEmptyWhereNobodyWantsTheIndex() {
    IndexSettings plain = index(Settings.EMPTY);
    assertTrue(EngineSlot.factoryFor(List.of(), plain).isEmpty());
    assertTrue(EngineSlot.factoryFor(List.of(wanting(false)), plain).isEmpty());
    assertTrue(EngineSlot.factoryFor(List.of(wanting(false), wanting(true)), plain).isPresent());
  }

  public void testServesRemoteSnapshotsForTheirReaders() {
    IndexSettings snapshot =
        index(Settings.builder().put("index.store.type", "remote_snapshot").build());
    assertTrue(snapshot.isRemoteSnapshot());
    assertTrue(EngineSlot.factoryFor(List.of(wanting(false)), snapshot).isEmpty());
    assertTrue(EngineSlot.factoryFor(List.of(wanting(true)), snapshot).isPresent());
  }

  public void testYieldsByDefaultToFollowersOfAnotherCluster() {
    assertEquals(
        List.of("index.plugins.replication.follower.leader_index"),
        EngineSlot.YIELD_TO.getDefault(Settings.EMPTY));
  }

  public void testYieldsToAnEngineOfAnotherPlugin() {
    IndexSettings follower =
        index(
            Settings.builder()
                .put("index.plugins.replication.follower.leader_index", "leader")
                .build());
    assertTrue(EngineSlot.factoryFor(List.of(wanting(true)), follower).isEmpty());
  }
}
