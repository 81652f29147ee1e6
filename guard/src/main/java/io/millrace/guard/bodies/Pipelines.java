package io.millrace.guard.bodies;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.ingest.IngestMetadata;
import org.opensearch.ingest.IngestService;

/**
 * Whether a document goes through a pipeline, as IngestService#resolvePipelines at 3.8.0 will find
 * out, which writes what it finds into the request. A document of an index that is missing may get
 * one from a template.
 */
final class Pipelines {
  private final @Nullable Metadata metadata;
  private final boolean any;
  private final Map<String, Boolean> byIndex = new HashMap<>();

  /**
   * @param metadata {@code null} before the node knows a cluster
   */
  Pipelines(@Nullable Metadata metadata) {
    this.metadata = metadata;
    IngestMetadata pipelines = metadata == null ? null : metadata.custom(IngestMetadata.TYPE);
    this.any = pipelines != null && !pipelines.getPipelines().isEmpty();
  }

  boolean has(IndexRequest request) {
    if (!any) {
      return false;
    }
    String asked = request.getPipeline();
    if (asked != null && !asked.equals(IngestService.NOOP_PIPELINE_NAME)) {
      return true;
    }
    return byIndex.computeIfAbsent(request.index(), this::ofIndex);
  }

  private boolean ofIndex(String name) {
    IndexAbstraction index = metadata == null ? null : metadata.getIndicesLookup().get(name);
    if (index == null || index.getWriteIndex() == null) {
      return true;
    }
    Settings settings = index.getWriteIndex().getSettings();
    return names(IndexSettings.DEFAULT_PIPELINE.get(settings))
        || names(IndexSettings.FINAL_PIPELINE.get(settings));
  }

  private static boolean names(String pipeline) {
    return !pipeline.equals(IngestService.NOOP_PIPELINE_NAME);
  }
}
