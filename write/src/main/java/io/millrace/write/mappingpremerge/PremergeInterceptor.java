package io.millrace.write.mappingpremerge;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.indices.mapping.put.AutoPutMappingAction;
import org.opensearch.action.admin.indices.mapping.put.PutMappingRequest;
import org.opensearch.action.bulk.BulkShardRequest;
import org.opensearch.action.bulk.TransportShardBulkAction;
import org.opensearch.action.support.ActiveShardCount;
import org.opensearch.action.support.replication.TransportReplicationAction.ConcreteShardRequest;
import org.opensearch.cluster.routing.IndexRoutingTable;
import org.opensearch.cluster.routing.IndexShardRoutingTable;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.AbstractRunnable;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.mapper.Mapping;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportChannel;
import org.opensearch.transport.TransportInterceptor;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportRequestHandler;
import org.opensearch.transport.client.Client;

/**
 * Holds a primary shard bulk back until the mapping knows its new fields.
 *
 * <p>Stock updates the mapping for each document with new fields by itself: update, wait for the
 * cluster state, try again, with ten permits for all write threads (TransportShardBulkAction and
 * MappingUpdatedAction at 3.8.0). Here the bulk's documents are looked at first and one update asks
 * for all; then the bulk goes its usual way, whatever came of the update.
 */
final class PremergeInterceptor implements TransportInterceptor, IndexEventListener {
  private static final Logger LOG = LogManager.getLogger(PremergeInterceptor.class);

  /** The primary phase of a shard bulk. */
  static final String ACTION = TransportShardBulkAction.ACTION_NAME + "[p]";

  /** As stock's indices.mapping.dynamic_timeout by default. */
  private static final TimeValue MANAGER_TIMEOUT = TimeValue.timeValueSeconds(30);

  /** How long to wait for the nodes to have the mapping; after that stock's own wait takes over. */
  private static final TimeValue ACK_TIMEOUT = TimeValue.timeValueSeconds(1);

  /** Bytes of documents that are looked at before the bulk has a thread: well below 1 ms. */
  private static final long LOOKED_AT_HERE = 64 * 1024;

  private record Services(Client client, ThreadPool threadPool, ClusterService clusterService) {}

  private record Watched(IndexShard shard, BulkMapping mapping) {}

  private final BooleanSupplier on;
  private final Map<ShardId, Watched> shards = new ConcurrentHashMap<>();
  private volatile @Nullable Services services;

  final LongAdder updates = new LongAdder();
  final LongAdder looked = new LongAdder();

  PremergeInterceptor(BooleanSupplier on) {
    this.on = on;
  }

  void start(Client client, ThreadPool threadPool, ClusterService clusterService) {
    services = new Services(client, threadPool, clusterService);
  }

  @Override
  public void afterIndexShardStarted(IndexShard shard) {
    shards.put(
        shard.shardId(),
        new Watched(
            shard, new BulkMapping(shard.mapperService(), new FieldNames(shard.mapperService()))));
  }

  @Override
  public void beforeIndexShardClosed(
      ShardId shardId, @Nullable IndexShard shard, Settings settings) {
    shards.remove(shardId);
  }

  @Override
  public <T extends TransportRequest> TransportRequestHandler<T> interceptHandler(
      String action, String executor, boolean forceExecution, TransportRequestHandler<T> handler) {
    return ACTION.equals(action)
        ? (request, channel, task) -> receive(request, channel, task, handler)
        : handler;
  }

  private <T extends TransportRequest> void receive(
      T request, TransportChannel channel, Task task, TransportRequestHandler<T> handler)
      throws Exception {
    Services now = services;
    BulkMapping mapping = null;
    BulkShardRequest bulk = null;
    if (on.getAsBoolean()
        && now != null
        && request instanceof ConcreteShardRequest<?> concrete
        && concrete.getRequest() instanceof BulkShardRequest shardBulk) {
      bulk = shardBulk;
      Watched watched = shards.get(bulk.shardId());
      if (watched != null && runs(concrete, bulk, watched.shard, now.clusterService)) {
        mapping = watched.mapping;
      }
    }
    if (now == null || bulk == null || mapping == null) { // or it is refused before it is read
      handler.messageReceived(request, channel, task);
      return;
    }
    // this may be a transport thread: documents of megabytes are looked at on a write thread
    boolean large = BulkMapping.sampledBytes(bulk) > LOOKED_AT_HERE;
    if (!large && !mapping.likelyNew(bulk)) {
      handler.messageReceived(request, channel, task);
      return;
    }
    BulkMapping known = mapping;
    BulkShardRequest waiting = bulk;
    Runnable proceed = proceed(now.threadPool.getThreadContext(), request, channel, task, handler);
    now.threadPool
        .executor(ThreadPool.Names.WRITE)
        .execute(
            new AbstractRunnable() {
              @Override
              protected void doRun() {
                if (large && !known.likelyNew(waiting)) {
                  proceed.run();
                  return;
                }
                looked.increment();
                Mapping update = known.update(waiting);
                if (update == null) {
                  proceed.run();
                } else {
                  put(now.client, waiting, update, proceed);
                }
              }

              @Override
              public void onFailure(Exception e) {
                LOG.debug(
                    "the bulk for {} goes on without merging its new fields first",
                    waiting.shardId(),
                    e);
                proceed.run();
              }
            });
  }

  /**
   * Whether stock will index the documents now, as far as can be told: the mapping of a bulk that
   * is refused for anything but its documents must not change, or a corrected bulk finds the types
   * of the refused one.
   *
   * <p>A bulk that was not sent by this node itself (a primary that hands over to another) has not
   * been counted by indexing pressure yet (TransportReplicationAction#handlePrimaryRequest): it
   * must not wait here uncounted.
   */
  private static boolean runs(
      ConcreteShardRequest<?> request,
      BulkShardRequest bulk,
      IndexShard shard,
      ClusterService clusterService) {
    ShardRouting here = shard.routingEntry();
    if (!request.sentFromLocalReroute()
        || !here.primary()
        || !here.allocationId().getId().equals(request.getTargetAllocationID())
        || shard.getPendingPrimaryTerm() != request.getPrimaryTerm()) {
      return false;
    }
    ActiveShardCount wanted = bulk.waitForActiveShards();
    if (wanted == ActiveShardCount.NONE || wanted == ActiveShardCount.DEFAULT) {
      return true;
    }
    IndexRoutingTable index =
        clusterService.state().routingTable().index(bulk.shardId().getIndex());
    IndexShardRoutingTable copies = index == null ? null : index.shard(bulk.shardId().id());
    return copies != null && wanted.enoughShardsActive(copies);
  }

  private void put(Client client, BulkShardRequest bulk, Mapping update, Runnable proceed) {
    PutMappingRequest put = new PutMappingRequest();
    put.setConcreteIndex(bulk.shardId().getIndex());
    put.source(update.toString(), MediaTypeRegistry.JSON);
    put.clusterManagerNodeTimeout(MANAGER_TIMEOUT);
    put.timeout(ACK_TIMEOUT);
    client.execute(
        AutoPutMappingAction.INSTANCE,
        put,
        ActionListener.wrap(
            acknowledged -> {
              updates.increment();
              proceed.run();
            },
            refused -> {
              LOG.debug("mapping update for {} was refused", bulk.shardId(), refused);
              proceed.run();
            }));
  }

  /** Lets the bulk go on in the context it came with; a failure goes to its sender. */
  private static <T extends TransportRequest> Runnable proceed(
      ThreadContext context,
      T request,
      TransportChannel channel,
      Task task,
      TransportRequestHandler<T> handler) {
    var restorable = context.newRestorableContext(true);
    return () -> {
      try (ThreadContext.StoredContext ignored = restorable.get()) {
        handler.messageReceived(request, channel, task);
      } catch (Exception e) {
        try {
          channel.sendResponse(e);
        } catch (Exception inner) {
          inner.addSuppressed(e);
          LOG.warn("could not answer a bulk that failed to start", inner);
        }
      }
    };
  }
}
