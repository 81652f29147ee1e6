package io.millrace.guard.bodies;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ingest.SimulatePipelineRequest;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.ingest.IngestMetadata;
import org.opensearch.ingest.PipelineConfiguration;

/**
 * What a simulation with {@code verbose=true} keeps: the document as each processor has left it
 * (TrackingResultProcessor#execute at 3.8.0), until all of them are written into the answer.
 */
final class Simulated {
  private static final int DEEPEST = 20;

  private Simulated() {}

  /**
   * @return {@code null} for a simulation that keeps no copies; its body counts as every other
   */
  static @Nullable Releasable take(
      SimulatePipelineRequest request, ParsedBodies bodies, @Nullable Metadata metadata) {
    if (!request.isVerbose()) {
      return null;
    }
    int length = request.getSource().length();
    Map<String, Object> body =
        XContentHelper.convertToMap(request.getSource(), false, request.getXContentType()).v2();
    Object pipeline =
        request.getId() == null ? body.get("pipeline") : stored(request.getId(), metadata);
    long copies = processors(pipeline, 0);
    long form = ParsedForm.ofPiped(request.getSource(), request.getXContentType());
    return bodies.take(
        "what [" + copies + "] processors leave, each for [verbose], of a body",
        length,
        copies * form);
  }

  private static @Nullable Object stored(String id, @Nullable Metadata metadata) {
    IngestMetadata pipelines = metadata == null ? null : metadata.custom(IngestMetadata.TYPE);
    PipelineConfiguration found = pipelines == null ? null : pipelines.getPipelines().get(id);
    return found == null ? null : found.getConfigAsMap();
  }

  /** The entries of all lists of a pipeline's configuration, which are its processors and more. */
  private static long processors(@Nullable Object config, int depth) {
    long sum = 0;
    if (depth < DEEPEST && config instanceof Map<?, ?> map) {
      for (Object each : map.values()) {
        sum += processors(each, depth + 1);
      }
    } else if (depth < DEEPEST && config instanceof Collection<?> list) {
      for (Object each : list) {
        sum += 1 + processors(each, depth + 1);
      }
    }
    return sum;
  }
}
