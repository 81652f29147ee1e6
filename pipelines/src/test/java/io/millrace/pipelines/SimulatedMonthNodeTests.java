package io.millrace.pipelines;

import io.millrace.kernel.Feature;
import io.millrace.pipelines.SentLines.Kind;
import io.millrace.pipelines.retention.RetentionHost;
import io.millrace.pipelines.sourcecontrol.SourceControlHost;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.admin.indices.datastream.CreateDataStreamAction;
import org.opensearch.action.admin.indices.datastream.DeleteDataStreamAction;
import org.opensearch.action.admin.indices.rollover.RolloverInfo;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateUpdateTask;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * Thirty days of logs on a node whose clock the test turns: three services write to dated indices
 * under budgets, audit lines have indices of their own, and a data stream rolls over, under rules
 * of age and of size.
 *
 * <p>After every look of retention: no rule's indices have more bytes than it allows; each deletion
 * is one that a rule asks for, the oldest first, and never of a write index. Of every line that was
 * sent: it was written or refused, and the report says the same per source and level; debug lines
 * are refused first, errors never where lines are sampled. Every night: each index that is left has
 * each line that it acknowledged.
 *
 * <p>{@code -Dmillrace.month.lines=N} sends N lines of each service between two looks, 30 unless
 * told; {@code -Dmillrace.month.looks=N} looks N times a day, 6 unless told.
 */
public class SimulatedMonthNodeTests extends OpenSearchSingleNodeTestCase {
  private static final int DAYS = 30;
  private static final int LINES = Integer.getInteger("millrace.month.lines", 30);
  private static final int LOOKS = Integer.getInteger("millrace.month.looks", 6);
  private static final long DAY = TimeValue.timeValueDays(1).millis();
  private static final String PREFIX = "millrace.pipelines.";
  private static final String STREAM = "events";
  private static final String AUDIT = "audit-";
  private static final int AUDIT_DAYS = 10;
  private static final List<String> SERVICES = List.of("warned", "sampled", "dropped");

  /** Bytes of every line. */
  private static final int LINE = 200;

  /** What a service may send in a day: half of what it does send. */
  private static final long BUDGET = (long) LOOKS * LINES * LINE / 2;

  /** Lines of each index that is there. */
  private final Map<String, Long> acknowledged = new HashMap<>();

  /** When the indices of the stream were rolled over. */
  private final Map<String, Long> ends = new HashMap<>();

  private MonthHost host;
  private SentLines today = new SentLines();
  private long sent;
  private long written;
  private long refused;

  /** Entries of the journal that were looked at. */
  private int judged;

  private long mostLogs;
  private long mostEvents;

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(MonthHost.class);
  }

  @Override
  protected boolean resetNodeAfterTest() {
    return true;
  }

  /** The node looks only when the test says so. */
  @Override
  protected Settings nodeSettings() {
    return Settings.builder()
        .put(PREFIX + "retention.interval", "100d")
        .put(PREFIX + "retention.max_steps", 1_000)
        .build();
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    host = getInstanceFromNode(PluginsService.class).filterPlugins(MonthHost.class).get(0);
    MonthHost.template(client(), "dated", List.of("logs-*", AUDIT + "*"), null);
    MonthHost.template(
        client(), "stream", List.of(STREAM), new ComposableIndexTemplate.DataStreamTemplate());
    client()
        .execute(CreateDataStreamAction.INSTANCE, new CreateDataStreamAction.Request(STREAM))
        .get();
    String day = " day=" + BUDGET + "b then=";
    set(
        Settings.builder()
            .put(PREFIX + "source_control.read_one_of", 1)
            .putList(
                PREFIX + "source_control.budgets",
                "logs-* service=warned" + day + "warn",
                "logs-* service=sampled" + day + "sample",
                "logs-* service=dropped" + day + "drop"));
  }

  @Override
  public void tearDown() throws Exception {
    client()
        .execute(
            DeleteDataStreamAction.INSTANCE,
            new DeleteDataStreamAction.Request(new String[] {STREAM}))
        .get();
    set(Settings.builder().putNull("millrace.*"));
    super.tearDown();
  }

  private void set(Settings.Builder settings) {
    client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get();
  }

  public void testAMonth() throws Exception {
    for (int day = 0; day < DAYS; day++) {
      today = new SentLines();
      for (int look = 0; look < LOOKS; look++) {
        host.clock().set(MonthHost.START + day * DAY + look * DAY / LOOKS);
        send(look);
        if (day > 0) {
          look();
        }
      }
      if (day == 0) {
        rules();
      }
      counted();
      everyLineIsThere();
    }
    assertEquals(sent, written + refused);
    assertEquals(written, metric(sources(), "documents"));
    assertEquals(refused, metric(sources(), "documents_dropped"));
    assertEquals(0, metric(retention(), "failures"));
    long deleted = metric(retention(), "indices_deleted");
    assertTrue("deleted " + deleted, deleted > DAYS);
    assertTrue(metric(retention(), "rollovers") > DAYS / 4);
    assertTrue(refused > sent / 10);
  }

  private Feature retention() {
    return host.retention();
  }

  private Feature sources() {
    return host.sources();
  }

  private static long metric(Feature feature, String name) {
    return (long)
        feature.metrics().stream()
            .filter(metric -> metric.name().equals(name))
            .findFirst()
            .orElseThrow()
            .samples()
            .get()
            .get(0)
            .value();
  }

  /**
   * By the sizes of the first day: six days of logs, and indices of a day or more for the stream,
   * four days of them.
   */
  private void rules() {
    Map<String, Long> sizes = sizes();
    long logs = sizes.get("logs-2026.10.01");
    long events = sizes.get(backing().get(0));
    mostLogs = 6 * logs;
    mostEvents = 4 * events;
    set(
        Settings.builder()
            .put(PREFIX + "retention.enabled", true)
            .put(PREFIX + "retention.dry_run", false)
            .putList(
                PREFIX + "retention.rules",
                "logs-* max_age=20d max_size=" + mostLogs + "b",
                AUDIT + "* max_age=" + AUDIT_DAYS + "d",
                STREAM + " rollover_size=" + events + "b max_size=" + mostEvents + "b"));
  }

  private String day() {
    return Instant.ofEpochMilli(host.clock().get()).toString().substring(0, 10).replace('-', '.');
  }

  private static String level(int line) {
    return line % 10 < 6 ? "debug" : line % 10 < 9 ? "info" : "error";
  }

  private void send(int look) {
    BulkRequest bulk = new BulkRequest().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    List<Kind> kinds = new ArrayList<>();
    for (int line = 0; line < LINES; line++) {
      for (String service : SERVICES) {
        // another level first each time
        Kind kind = new Kind(service, level(line + look * 3));
        kinds.add(kind);
        bulk.add(line("logs-" + day(), kind));
      }
      Kind kind = new Kind("unbounded", level(line));
      kinds.add(kind);
      bulk.add(line(STREAM, kind).opType(DocWriteRequest.OpType.CREATE));
    }
    kinds.add(new Kind("auditor", "info"));
    bulk.add(line(AUDIT + day(), new Kind("auditor", "info")));
    for (BulkItemResponse item : client().bulk(bulk).actionGet()) {
      told(kinds.get(item.getItemId()), item);
    }
  }

  private IndexRequest line(String index, Kind kind) {
    String begin =
        "{\"@timestamp\":"
            + host.clock().get()
            + ",\"service\":\""
            + kind.service()
            + "\",\"level\":\""
            + kind.level()
            + "\",\"message\":\"";
    String source = begin + "x".repeat(LINE - 2 - begin.length()) + "\"}";
    return new IndexRequest(index).source(source, XContentType.JSON);
  }

  private void told(Kind kind, BulkItemResponse item) {
    sent++;
    today.add(kind, !item.isFailed());
    if (item.isFailed()) {
      refused++;
      assertEquals(item.getFailureMessage(), RestStatus.FORBIDDEN, item.status());
      assertTrue(kind.toString(), List.of("sampled", "dropped").contains(kind.service()));
      assertFalse("a sample keeps errors", kind.equals(new Kind("sampled", "error")));
      if (kind.service().equals("dropped") && !kind.level().equals("debug")) {
        long bytes = today.written("dropped") * LINE;
        assertTrue("refused after " + bytes, bytes >= BUDGET);
      }
    } else {
      written++;
      acknowledged.merge(item.getIndex(), 1L, Long::sum);
    }
  }

  /** Bytes of every index that a rule is about. */
  private Map<String, Long> sizes() {
    Map<String, Long> sizes = new TreeMap<>();
    client()
        .admin()
        .indices()
        .prepareStats("logs-*", AUDIT + "*", STREAM)
        .setIndicesOptions(IndicesOptions.lenientExpandHidden())
        .clear()
        .setStore(true)
        .get()
        .getIndices()
        .forEach((name, stats) -> sizes.put(name, stats.getTotal().getStore().sizeInBytes()));
    return sizes;
  }

  private List<String> backing() {
    return state().metadata().dataStreams().get(STREAM).getIndices().stream()
        .map(Index::getName)
        .toList();
  }

  private ClusterState state() {
    return getInstanceFromNode(ClusterService.class).state();
  }

  /** One look, and a judgement of what it did by what was there before. */
  private void look() throws Exception {
    Map<String, Long> present = sizes();
    CountDownLatch done = new CountDownLatch(1);
    RetentionHost.look(retention(), done::countDown);
    done.await();
    List<?> journal = journal();
    for (; judged < journal.size(); judged++) {
      Map<?, ?> entry = (Map<?, ?>) journal.get(judged);
      assertEquals(entry.toString(), "done", entry.get("result"));
      String target = (String) entry.get("target");
      if (entry.get("action").equals("delete")) {
        deleted(target, present);
        present.remove(target);
        assertNotNull(acknowledged.remove(target));
      } else {
        assertEquals(STREAM, target);
      }
    }
    assertEquals("nothing else is gone", present.keySet(), known(sizes().keySet(), present));
    rolled();
    assertTrue(total(present, "logs-") <= mostLogs);
    assertTrue(total(present, ".ds-") <= mostEvents);
  }

  /** Without the write index that came in this look. */
  private static Set<String> known(Set<String> after, Map<String, Long> before) {
    Set<String> known = new TreeSet<>(after);
    known.retainAll(before.keySet());
    return known;
  }

  private List<?> journal() {
    return (List<?>) RetentionHost.report(retention()).get("journal");
  }

  private static long total(Map<String, Long> present, String prefix) {
    return present.entrySet().stream()
        .filter(each -> each.getKey().startsWith(prefix))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Whether a rule asks for it. */
  private void deleted(String target, Map<String, Long> present) {
    assertNotNull("not there: " + target, present.get(target));
    if (target.startsWith(".ds-")) {
      assertTrue(target, total(present, ".ds-") > mostEvents);
      assertFalse("the write index", target.equals(backing().get(backing().size() - 1)));
      assertTrue("rolled over: " + target, ends.containsKey(target));
      assertEquals("the oldest", Collections.min(ends.values()), ends.remove(target));
      return;
    }
    String prefix = target.startsWith(AUDIT) ? AUDIT : "logs-";
    String oldest =
        present.keySet().stream()
            .filter(name -> name.startsWith(prefix))
            .min(String::compareTo)
            .get();
    assertEquals("the oldest", oldest, target);
    LocalDate day = LocalDate.parse(target.substring(prefix.length()).replace('.', '-'));
    long age =
        host.clock().get()
            - day.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    assertTrue("over everywhere: " + target, age >= DAY / 2);
    if (prefix.equals(AUDIT)) {
      assertTrue(target, age > AUDIT_DAYS * DAY);
    } else {
      assertTrue(target, total(present, prefix) > mostLogs || age > 20 * DAY);
    }
  }

  /** A rollover has the time of the machine: it gets that of the month. */
  private void rolled() throws Exception {
    List<String> streams = backing();
    for (String name : streams.subList(0, streams.size() - 1)) {
      if (ends.putIfAbsent(name, host.clock().get()) == null) {
        inTheMonth(name);
      }
    }
  }

  private void inTheMonth(String name) throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    getInstanceFromNode(ClusterService.class)
        .submitStateUpdateTask(
            "the time of a rollover",
            new ClusterStateUpdateTask() {
              @Override
              public ClusterState execute(ClusterState state) {
                RolloverInfo info = new RolloverInfo(STREAM, List.of(), host.clock().get());
                return ClusterState.builder(state)
                    .metadata(
                        Metadata.builder(state.metadata())
                            .put(
                                IndexMetadata.builder(state.metadata().index(name))
                                    .putRolloverInfo(info)))
                    .build();
              }

              @Override
              public void onFailure(String source, Exception failure) {
                throw new AssertionError(failure);
              }

              @Override
              public void clusterStateProcessed(
                  String source, ClusterState before, ClusterState after) {
                done.countDown();
              }
            });
    done.await();
  }

  /** What the report says of today is what the senders were told. */
  private void counted() {
    Map<String, Object> report = SourceControlHost.days(sources()).get(0);
    assertEquals(day().replace('.', '-'), report.get("day"));
    today.assertReported(report, LINE);
    assertEquals("warned is never refused", 0, today.refused("warned"));
    long dropped = today.written("dropped") * LINE;
    assertTrue("bytes " + dropped, dropped < BUDGET + LINE);
  }

  private void everyLineIsThere() {
    acknowledged.forEach((index, lines) ->
        assertEquals(
            index,
            lines.longValue(),
            client()
                .prepareSearch(index)
                .setSize(0)
                .setTrackTotalHits(true)
                .get()
                .getHits()
                .getTotalHits()
                .value()));
  }
}
