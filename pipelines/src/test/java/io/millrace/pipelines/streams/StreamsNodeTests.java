package io.millrace.pipelines.streams;

import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Sample;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opensearch.action.admin.indices.streamingingestion.pause.PauseIngestionRequest;
import org.opensearch.action.admin.indices.streamingingestion.resume.ResumeIngestionRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** What a node says of an index that reads a stream, stage by stage. */
public class StreamsNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String INDEX = "logs-shop";

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(StreamsHost.class, MemoryStream.class);
  }

  @Override
  protected boolean resetNodeAfterTest() {
    return true;
  }

  private <T extends Plugin> T plugin(Class<T> type) {
    return getInstanceFromNode(PluginsService.class).filterPlugins(type).get(0);
  }

  private MemoryStream stream() {
    return plugin(MemoryStream.class);
  }

  private void fill(int records) {
    for (int i = 0; i < records; i++) {
      stream().add("{\"n\":" + i + "}");
    }
  }

  private void read() {
    createIndex(
        INDEX,
        Settings.builder()
            .put("index.number_of_shards", 1)
            .put("index.number_of_replicas", 0)
            .put("index.replication.type", "SEGMENT")
            .put("index.refresh_interval", "-1")
            .put("index.ingestion_source.type", "memory")
            .put("index.ingestion_source.pointer.init.reset", "earliest")
            .put("index.ingestion_source.pointer_based_lag_update_interval", "1s")
            .put("index.ingestion_source.error_strategy", "BLOCK")
            .put("index.ingestion_source.mapper_type", "raw_payload")
            .build());
  }

  private List<Sample> samples(String metric) {
    return plugin(StreamsHost.class).feature().metrics().stream()
        .filter(each -> each.name().equals(metric))
        .map(Metric::samples)
        .findFirst()
        .orElseThrow()
        .get();
  }

  /** The figure of the index. */
  private double figure(String metric) {
    return samples(metric).stream()
        .filter(sample -> sample.labels().equals(Map.of("index", INDEX)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + metric + " of " + INDEX))
        .value();
  }

  private void assertBecomes(String metric, double value) throws Exception {
    assertBusy(() -> assertEquals(metric, value, figure(metric), 0), 60, TimeUnit.SECONDS);
  }

  public void testSaysWhereRecordsWait() throws Exception {
    stream().readable(60);
    fill(100);
    read();
    assertBecomes("indexed", 60);
    assertBecomes("lag", 40);
    assertBusy(() -> assertTrue("none comes", figure("fetch_delay") > 1000), 60, TimeUnit.SECONDS);
    assertBecomes("queued", 0);
    assertEquals(0, figure("queue_delay"), 0);
    assertBusy(() -> assertTrue(figure("search_delay") > 1000), 60, TimeUnit.SECONDS);
    client().admin().indices().prepareRefresh(INDEX).get();
    assertBecomes("search_delay", 0);

    stream().readable(Integer.MAX_VALUE);
    assertBecomes("indexed", 100);
    assertBecomes("lag", 0);
    assertBecomes("fetch_delay", 0);
    assertEquals(0, figure("failed"), 0);
    assertEquals(0, figure("stopped_shards"), 0);
  }

  public void testARecordThatCannotBeIndexedHoldsTheOthersUp() throws Exception {
    fill(10);
    stream().add("{\"n\":\"no number\"}");
    fill(10);
    set("late_after", "1s");
    read();
    assertBecomes("indexed", 10);
    assertBecomes("queued", 11);
    assertBusy(() -> assertEquals(1, samples("late_indices").get(0).value(), 0));
    assertBusy(() -> assertTrue(figure("failed") > 0), 60, TimeUnit.SECONDS);
    assertBusy(() -> assertTrue(figure("queue_delay") > 2000), 60, TimeUnit.SECONDS);
    assertEquals(0, figure("dropped"), 0);
  }

  public void testAStoppedShardIsNotAPausedOne() throws Exception {
    fill(10);
    read();
    assertBecomes("indexed", 10);
    client()
        .admin()
        .indices()
        .pauseIngestion(new PauseIngestionRequest(new String[] {INDEX}))
        .get();
    assertBecomes("paused_shards", 1);
    assertEquals(0, figure("stopped_shards"), 0);

    client()
        .admin()
        .indices()
        .resumeIngestion(new ResumeIngestionRequest(new String[] {INDEX}))
        .get();
    assertBecomes("paused_shards", 0);
    stream().broken(true);
    assertBecomes("stopped_shards", 1);
    assertEquals(0, figure("paused_shards"), 0);
    assertEquals("stopped", shards().get(0).get("state"));
    assertEquals(1L, shards().get(0).get("consumer_errors"));
  }

  public void testSwitchedOffItSaysNothing() throws Exception {
    fill(10);
    read();
    assertBecomes("indexed", 10);
    set("enabled", "false");
    assertBusy(() -> assertEquals(List.of(), samples("indexed")), 60, TimeUnit.SECONDS);
    assertEquals(List.of(), shards());
  }

  @SuppressWarnings("unchecked") // as reports are built
  private List<Map<String, Object>> shards() {
    return (List<Map<String, Object>>)
        plugin(StreamsHost.class).feature().streams().report().get("shards");
  }

  private void set(String setting, String value) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(
            Settings.builder().put("millrace.pipelines.streams." + setting, value))
        .get();
  }

  @Override
  public void tearDown() throws Exception {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().putNull("millrace.*"))
        .get();
    super.tearDown();
  }
}
