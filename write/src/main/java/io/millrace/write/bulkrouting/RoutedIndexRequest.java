package io.millrace.write.bulkrouting;

import static org.opensearch.common.lucene.uid.Versions.MATCH_DELETED;

import org.jspecify.annotations.Nullable;
import org.opensearch.Version;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.cluster.metadata.MappingMetadata;

/**
 * An index request that takes its bulk's routing at the last moment: when stock generates the id.
 *
 * <p>Why a subclass: the routing may only be set once it is certain that nobody else sets one.
 * {@code IndexRequest.process} (IndexRequest#process) is the last public step before the shard is
 * chosen (TransportBulkAction.BulkOperation#doRun) and knows the concrete index. By then pipelines
 * have run (which may set _id and _routing or move the document to another index), aliases have
 * added their routing, data streams have refused a foreign one
 * (TransportBulkAction#prohibitCustomRoutingOnDataStream) and missing indices exist. The
 * alternatives are worse: an action filter that sets the routing itself comes before all of these;
 * a system ingest processor makes every document be parsed into a map; a filter on shard bulks
 * comes after the split. Nothing else about the request changes: it is written to other nodes as a
 * plain index request, and a node that ingests for others applies its own filter again.
 */
final class RoutedIndexRequest extends IndexRequest {
  private final BulkPlan plan;

  /** A copy of everything an index request holds; RoutedIndexRequestTest compares the fields. */
  RoutedIndexRequest(IndexRequest original, BulkPlan plan) {
    super(original.index());
    this.plan = plan;
    id(original.id());
    routing(original.routing());
    if (original.source() != null) {
      source(original.source(), original.getContentType());
    }
    extraFieldValues(original.extraFieldValues());
    opType(original.opType());
    // version() answers MATCH_DELETED for a "create" whose version field is unset
    if (original.opType() != OpType.CREATE || original.version() != MATCH_DELETED) {
      version(original.version());
    }
    versionType(original.versionType());
    setPipeline(original.getPipeline());
    setFinalPipeline(original.getFinalPipeline());
    setSystemIngestPipeline(original.getSystemIngestPipeline());
    isPipelineResolved(original.isPipelineResolved());
    setRequireAlias(original.isRequireAlias());
    setIfSeqNo(original.ifSeqNo());
    setIfPrimaryTerm(original.ifPrimaryTerm());
    setRefreshPolicy(original.getRefreshPolicy());
    timeout(original.timeout());
    waitForActiveShards(original.waitForActiveShards());
    routedBasedOnClusterVersion(original.routedBasedOnClusterVersion());
    setParentTask(original.getParentTask());
    remoteAddress(original.remoteAddress());
    if (original.isRetry()) {
      onRetry();
    }
  }

  @Override
  public void process(
      Version indexCreatedVersion, @Nullable MappingMetadata mapping, String concreteIndex) {
    boolean hadId = id() != null;
    String key = plan.routing(concreteIndex);
    super.process(indexCreatedVersion, mapping, concreteIndex);
    if (!hadId && routing() == null && key != null) {
      routing(key);
      plan.routed();
    }
  }
}
