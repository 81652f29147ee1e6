package io.millrace.pipelines;

import io.millrace.kernel.Feature;
import io.millrace.pipelines.loki.LokiFeature;
import io.millrace.pipelines.otlp.OtlpFeature;
import io.millrace.pipelines.retention.RetentionFeature;
import io.millrace.pipelines.sourcecontrol.SourceControlFeature;
import io.millrace.pipelines.spanfilter.SpanFilterFeature;
import io.millrace.pipelines.streams.StreamsFeature;
import java.util.List;

/** The features of this domain, in the order in which they are declared. */
public final class PipelinesDomain {
  private PipelinesDomain() {}

  /** New instances, one set per node. */
  public static List<Feature> features() {
    return List.of(
        new OtlpFeature(),
        new LokiFeature(),
        new SpanFilterFeature(),
        new SourceControlFeature(),
        new RetentionFeature(),
        new StreamsFeature());
  }
}
