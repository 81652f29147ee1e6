package io.millrace.write.engine;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.write.WriteDomain;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.index.IndexService;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.translog.Translog;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** With all features of the domain in the node, the translog's promises are stock's. */
public class TranslogSettingsNodeTests extends OpenSearchSingleNodeTestCase {
  /** Hosts the domain. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(WriteDomain.features());
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  public void testEveryRequestIsDurableByDefault() {
    IndexSettings settings = createIndex("logs").getIndexSettings();
    assertEquals(Translog.Durability.REQUEST, settings.getTranslogDurability());
    assertEquals(new ByteSizeValue(64, ByteSizeUnit.MB), settings.getGenerationThresholdSize());
  }

  public void testGenerationsRollAtTheSizeThatIsSet() throws Exception {
    IndexService service = createIndex("logs");
    client()
        .admin()
        .indices()
        .prepareUpdateSettings("logs")
        .setSettings(
            Settings.builder()
                .put("index.translog.generation_threshold_size", "64kb")
                .put("index.translog.flush_threshold_size", "512mb"))
        .get();
    assertEquals(
        new ByteSizeValue(64, ByteSizeUnit.KB),
        service.getIndexSettings().getGenerationThresholdSize());
    long before = service.getShard(0).translogStats().getTranslogSizeInBytes();
    String text = "x".repeat(1000);
    for (int bulk = 0; bulk < 20; bulk++) {
      BulkRequestBuilder request = client().prepareBulk();
      for (int i = 0; i < 20; i++) {
        request.add(client().prepareIndex("logs").setSource("message", text));
      }
      assertFalse(request.get().hasFailures());
    }
    assertTrue(service.getShard(0).translogStats().getTranslogSizeInBytes() > before);
    // 400 KB of operations in generations of 64 KB; the roll follows the write on another thread
    assertBusy(
        () ->
            assertTrue(
                org.opensearch.index.shard.IndexShardTestCase.getTranslog(service.getShard(0))
                        .currentFileGeneration()
                    >= 4),
        120,
        TimeUnit.SECONDS);
  }
}
