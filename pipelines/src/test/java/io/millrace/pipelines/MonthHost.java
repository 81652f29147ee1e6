package io.millrace.pipelines;

import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.pipelines.retention.RetentionHost;
import io.millrace.pipelines.sourcecontrol.SourceControlHost;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Template;
import org.opensearch.common.settings.Settings;
import org.opensearch.transport.client.Client;

/** Hosts retention and source control on one clock that the test turns. */
public final class MonthHost extends FeaturePlugin {
  /** When the clock begins, in milliseconds since the epoch. */
  static final long START = Instant.parse("2026-10-01T00:30:00Z").toEpochMilli();

  private final AtomicLong clock;

  /** As OpenSearch constructs it. */
  public MonthHost() {
    this(new AtomicLong(START));
  }

  private MonthHost(AtomicLong clock) {
    super(
        List.of(RetentionHost.feature(clock::get, 10_000), SourceControlHost.feature(clock::get)));
    this.clock = clock;
  }

  AtomicLong clock() {
    return clock;
  }

  Feature retention() {
    return features.get(0);
  }

  Feature sources() {
    return features.get(1);
  }

  /** Without merges, so that sizes are the same whoever asks. */
  static void template(
      Client client,
      String name,
      List<String> patterns,
      ComposableIndexTemplate.@Nullable DataStreamTemplate stream)
      throws Exception {
    Settings settings =
        Settings.builder()
            .put(IndexMetadata.SETTING_NUMBER_OF_SHARDS, 1)
            .put(IndexMetadata.SETTING_NUMBER_OF_REPLICAS, 0)
            .put("index.merge.policy.segments_per_tier", 1_000)
            .put("index.merge.policy.max_merge_at_once", 1_000)
            .put("index.store.stats_refresh_interval", "0ms")
            .put("index.translog.durability", "async")
            .build();
    client
        .execute(
            PutComposableIndexTemplateAction.INSTANCE,
            new PutComposableIndexTemplateAction.Request(name)
                .indexTemplate(
                    new ComposableIndexTemplate(
                        patterns,
                        new Template(settings, null, null),
                        null,
                        1L,
                        null,
                        null,
                        stream)))
        .get();
  }
}
