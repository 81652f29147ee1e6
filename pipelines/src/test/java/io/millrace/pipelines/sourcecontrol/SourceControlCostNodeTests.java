package io.millrace.pipelines.sourcecontrol;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.opensearch.action.bulk.BulkAction;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * What counting costs: the CPU time of the thread that counts bulks of 500 log lines, with nothing
 * behind the filter. Every build counts a few bulks and checks the counts; {@code
 * -Dmillrace.sourcecontrol.cost=ROUNDS} measures so many rounds of 200 bulks and prints the
 * microseconds for each document, by the documents of which one is read.
 */
public class SourceControlCostNodeTests extends OpenSearchSingleNodeTestCase {
  private static final int ROUNDS = Integer.getInteger("millrace.sourcecontrol.cost", 0);
  private static final int BULKS = ROUNDS == 0 ? 10 : 200;
  private static final int SIZE = 500;
  private static final String KEY = "millrace.pipelines.source_control.read_one_of";
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(SourceControlHost.class);
  }

  @Override
  protected boolean resetNodeAfterTest() {
    return true;
  }

  private static BulkRequest bulk() {
    String[] levels = {"INFO", "DEBUG", "INFO", "WARN", "INFO"};
    BulkRequest bulk = new BulkRequest();
    for (int i = 0; i < SIZE; i++) {
      String line =
          "{\"@timestamp\":\"2024-05-06T10:11:12.%03dZ\",\"host\":\"web-%d\","
              + "\"service\":\"shop-%d\",\"level\":\"%s\",\"pid\":%d,"
              + "\"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e%04x\","
              + "\"status\":200,\"latency_ms\":%d,\"bytes\":5120,\"message\":\"GET /static/app.js "
              + "for 10.0.0.%d took %d ms, served from the cache of the second layer, which had it "
              + "for a day; nothing else was asked of the shop behind it\"}";
      bulk.add(
          new IndexRequest("logs-shop")
              .source(
                  line.formatted(
                      i % 1_000, i % 20, i % 12, levels[i % 5], i, i, i % 90, i % 250, i % 90),
                  XContentType.JSON));
    }
    return bulk;
  }

  /** Microseconds of this thread's CPU for each document. */
  private double cost(SourceFilter filter, List<BulkRequest> bulks) {
    ActionFilterChain<BulkRequest, BulkResponse> end = (task, action, request, listener) -> {};
    ActionRequestMetadata<BulkRequest, BulkResponse> none = ActionRequestMetadata.empty();
    long before = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < BULKS; i++) {
      filter.apply(
          null,
          BulkAction.NAME,
          bulks.get(i % bulks.size()),
          none,
          ActionListener.wrap(() -> {}),
          end);
    }
    return (THREADS.getCurrentThreadCpuTime() - before) / 1e3 / ((double) BULKS * SIZE);
  }

  private SourceControlFeature feature() {
    return getInstanceFromNode(PluginsService.class)
        .filterPlugins(SourceControlHost.class)
        .get(0)
        .feature();
  }

  private void readOneOf(Integer documents) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(
            documents == null
                ? Settings.builder().putNull(KEY)
                : Settings.builder().put(KEY, documents))
        .get();
  }

  public void testWhatCountingCosts() {
    List<BulkRequest> bulks = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      bulks.add(bulk());
    }
    SourceFilter filter = new SourceFilter(feature());
    int rounds = Math.max(1, ROUNDS);
    long counted = 0;
    try {
      for (Integer oneOf : Arrays.asList(16, 1)) {
        readOneOf(oneOf);
        cost(filter, bulks); // compiles
        counted += (long) BULKS * SIZE;
        double[] costs = new double[rounds];
        for (int round = 0; round < rounds; round++) {
          costs[round] = cost(filter, bulks);
          counted += (long) BULKS * SIZE;
        }
        Arrays.sort(costs);
        if (ROUNDS > 0) {
          System.out.printf(
              Locale.ROOT,
              "one of %d documents read: %.3f us of CPU a document in the median of %d rounds (%.3f"
                  + " to %.3f)%n",
              oneOf,
              costs[rounds / 2],
              rounds,
              costs[0],
              costs[rounds - 1]);
        }
      }
    } finally {
      readOneOf(null);
    }
    assertEquals(counted, feature().ledger().report().get(0).get("documents"));
  }
}
