package io.millrace.pipelines.retention;

import io.millrace.kernel.NodeServices;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.opensearch.ExceptionsHelper;
import org.opensearch.ResourceAlreadyExistsException;
import org.opensearch.action.admin.indices.create.CreateIndexRequest;
import org.opensearch.action.admin.indices.refresh.RefreshRequest;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.routing.IndexRoutingTable;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.gateway.GatewayService;
import org.opensearch.indices.SystemIndexDescriptor;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.SortOrder;

/**
 * The hidden system index that holds the journal: one primary, a copy where there is a second node,
 * and the newest entries only.
 *
 * <p>An index and no part of the cluster state: a node without the plugin, or with an earlier
 * version of it, takes part in it as in any other index.
 */
final class JournalIndex {
  static final String NAME = ".millrace-retention";

  /** What OpenSearch, and with it access control, knows the index by. */
  static final SystemIndexDescriptor DESCRIPTOR =
      new SystemIndexDescriptor(NAME, "what retention deleted, and why");

  /** The field by which entries follow one another. */
  static final String ORDER = "order";

  private static final String MAPPING =
      "{\"dynamic\":false,\"properties\":{\"time\":{\"type\":\"date\"},\"order\":{\"type\":\"long\"},"
          + "\"action\":{\"type\":\"keyword\"},\"target\":{\"type\":\"keyword\"},"
          + "\"rule\":{\"type\":\"keyword\",\"ignore_above\":1024},\"bytes\":{\"type\":\"long\"},"
          + "\"result\":{\"type\":\"keyword\",\"ignore_above\":1024}}}";

  private final NodeServices node;

  JournalIndex(NodeServices node) {
    this.node = node;
  }

  /** Whether the state of a cluster tells that there is no journal, and is complete. */
  static boolean absent(ClusterState state) {
    return recovered(state) && !state.metadata().hasIndex(NAME);
  }

  /** Whether the journal can be searched. */
  static boolean readable(ClusterState state) {
    IndexRoutingTable shards = state.routingTable().index(NAME);
    return recovered(state) && shards != null && shards.allPrimaryShardsActive();
  }

  /** Whether entries can be written, or the index can be made for them. */
  static boolean writable(ClusterState state) {
    return absent(state)
        || readable(state) && !state.blocks().indexBlocked(ClusterBlockLevel.WRITE, NAME);
  }

  private static boolean recovered(ClusterState state) {
    return !state.blocks().hasGlobalBlock(GatewayService.STATE_NOT_RECOVERED_BLOCK);
  }

  /** The newest entries by their ids, the newest last. */
  void newest(int count, ActionListener<Map<String, Map<String, Object>>> listener) {
    search(
        count,
        SortOrder.DESC,
        ActionListener.delegateFailure(
            listener,
            (to, found) -> {
              List<SearchHit> hits = new ArrayList<>(List.of(found.getHits().getHits()));
              Collections.reverse(hits);
              Map<String, Map<String, Object>> entries = new LinkedHashMap<>();
              hits.forEach(hit -> entries.put(hit.getId(), hit.getSourceAsMap()));
              to.onResponse(entries);
            }));
  }

  /** A search of what is written by now; it fails where a shard does not answer. */
  private void search(int size, SortOrder order, ActionListener<SearchResponse> listener) {
    SearchRequest request =
        new SearchRequest(NAME)
            .allowPartialSearchResults(false)
            .source(new SearchSourceBuilder().size(size).trackTotalHits(true).sort(ORDER, order));
    node.runAsNode(() ->
        node.client()
            .admin()
            .indices()
            .refresh(
                new RefreshRequest(NAME),
                ActionListener.delegateFailure(
                    listener, (to, done) -> SystemRequests.search(node, request, to))));
  }

  /**
   * Writes entries; the same id again is the same entry.
   *
   * @param listener gets the ids that are written
   */
  void write(Map<String, Map<String, Object>> entries, ActionListener<Set<String>> listener) {
    BulkRequest bulk = new BulkRequest().timeout(TimeValue.timeValueSeconds(5));
    entries.forEach((id, entry) -> bulk.add(new IndexRequest(NAME).id(id).source(entry)));
    node.runAsNode(() ->
        made(
            ActionListener.delegateFailure(
                listener,
                (to, there) ->
                    node.client().bulk(bulk, ActionListener.map(to, JournalIndex::written)))));
  }

  private static Set<String> written(BulkResponse answer) {
    Set<String> ids = new HashSet<>();
    for (BulkItemResponse item : answer) {
      if (!item.isFailed()) {
        ids.add(item.getId());
      }
    }
    return ids;
  }

  private void made(ActionListener<Void> listener) {
    if (node.clusterService().state().metadata().hasIndex(NAME)) {
      listener.onResponse(null);
      return;
    }
    CreateIndexRequest request =
        new CreateIndexRequest(NAME)
            .settings(
                Settings.builder()
                    .put(IndexMetadata.SETTING_NUMBER_OF_SHARDS, 1)
                    .put(IndexMetadata.SETTING_AUTO_EXPAND_REPLICAS, "0-1")
                    .put(IndexMetadata.SETTING_INDEX_HIDDEN, true))
            .mapping(MAPPING)
            .waitForActiveShards(ActiveShardCount.NONE);
    node.client()
        .admin()
        .indices()
        .create(
            request,
            ActionListener.wrap(
                made -> listener.onResponse(null),
                failure -> {
                  if (ExceptionsHelper.unwrapCause(failure)
                      instanceof ResourceAlreadyExistsException) {
                    listener.onResponse(null);
                  } else {
                    listener.onFailure(failure);
                  }
                }));
  }

  /** Removes the oldest entries beyond so many, at most 500 of them. */
  void keep(int most, ActionListener<Void> listener) {
    search(
        500,
        SortOrder.ASC,
        ActionListener.delegateFailure(
            listener,
            (to, found) -> {
              long over = found.getHits().getTotalHits().value() - most;
              BulkRequest bulk = new BulkRequest().timeout(TimeValue.timeValueSeconds(5));
              for (SearchHit hit : found.getHits()) {
                if (bulk.numberOfActions() < over) {
                  bulk.add(new DeleteRequest(NAME, hit.getId()));
                }
              }
              if (bulk.numberOfActions() == 0) {
                to.onResponse(null);
              } else {
                node.runAsNode(
                    () -> node.client().bulk(bulk, ActionListener.map(to, removed -> null)));
              }
            }));
  }
}
