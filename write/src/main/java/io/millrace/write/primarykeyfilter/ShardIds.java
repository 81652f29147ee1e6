package io.millrace.write.primarykeyfilter;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.ShardHooks;
import io.millrace.kernel.slot.WriteBarrier;
import java.io.IOException;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.mapper.IdFieldMapper;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.threadpool.ThreadPool;

/**
 * The ids that were ever written to one shard, and since when that is known to be all of them.
 *
 * <p>Begins with the first id of a sender's own that reaches the shard as a primary, so that shards
 * of generated ids and replicas pay one branch. From then on:
 *
 * <ol>
 *   <li>A filter is published. Every operation that starts now adds its id to it, of any origin,
 *       and also where it fails: the filter may hold too much.
 *   <li>{@link WriteBarrier#settle}: operations that started before have ended and can be read.
 *   <li>The {@code _id} terms of all segments are added: live, updated and deleted documents, and
 *       the tombstones of deletes.
 *   <li>Ids deleted before that merges have already removed from the segments are known to stock's
 *       version map alone, for {@code index.gc_deletes}; within that time an index operation goes
 *       on from the version of the delete. So where the engine has seen deletes, this time has to
 *       pass.
 *   <li>The filter is complete and answers.
 * </ol>
 *
 * <p>An operation that does not add its id because the switch is off drops the filter before it is
 * executed: what is published is complete or becomes so. Why a thread that still holds a dropped
 * filter is right to use it: it got it under the lock of its id, so no other operation with this id
 * has gone past the filter since.
 *
 * <p>Sources: our prototype (random ids, a tenth sent twice: 87.6 to 57.8 us of CPU a document);
 * IndexingStrategyPlanner#planOperationAsPrimary and LiveVersionMap#maybePutIndexUnderLock at
 * 3.8.0.
 */
final class ShardIds implements ShardHooks {
  private static final Logger LOG = LogManager.getLogger(ShardIds.class);
  private static final TimeValue CLOCK_MARGIN = TimeValue.timeValueSeconds(1);

  /** Sampled ids after which the share of known ones is looked at: each stands for sixteen. */
  static final int WINDOW = 4_096;

  private static final int TERMS_BETWEEN_LOOKS = 1_024;

  /** A filter that operations add their ids to, with what it costs and whether it answers. */
  record Published(IdFilter filter, FilterMemory.Share share, Readiness readiness) {
    /**
     * Adds an id and judges it.
     *
     * <p>Whether the filter is complete is read first. It may become so at any time, with this very
     * id from the segments: what is found missing in a filter that was not complete yet, and is
     * complete now, proves nothing.
     */
    Verdict add(long hash) {
      boolean complete = readiness.complete;
      boolean added = filter.add(hash);
      return !complete ? Verdict.UNPROVEN : added ? Verdict.NEW : Verdict.PERHAPS_KNOWN;
    }
  }

  /** What a filter says of an id. */
  enum Verdict {
    /** It does not answer yet. */
    UNPROVEN,
    /** The id was certainly never written. */
    NEW,
    /** It was, or the filter errs. */
    PERHAPS_KNOWN
  }

  /** Whether all ids of the segments are in. */
  static final class Readiness {
    volatile boolean complete;
  }

  private final Switch enabled;
  private final EngineConfig config;
  private final FilterMemory memory;
  private final PrimaryKeyFilterCounters counters;
  private final DoubleSupplier maxKnownShare;
  private final Runnable onClosed;
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicInteger sampledKnown = new AtomicInteger();
  private final AtomicInteger sampledAll = new AtomicInteger();
  private volatile @Nullable Published published;
  private volatile @Nullable Inactive inactive;
  private volatile boolean deletesSeen;
  private volatile boolean closed;
  private @Nullable Engine engine;
  private @Nullable WriteBarrier barrier;

  /**
   * @param maxKnownShare above this share of ids that are there already the filter does not pay
   * @param onClosed called when the engine is closed
   */
  ShardIds(
      Switch enabled,
      EngineConfig config,
      FilterMemory memory,
      PrimaryKeyFilterCounters counters,
      DoubleSupplier maxKnownShare,
      Consumer<ShardIds> onClosed) {
    this.enabled = enabled;
    this.config = config;
    this.memory = memory;
    this.counters = counters;
    this.maxKnownShare = maxKnownShare;
    this.onClosed = () -> onClosed.accept(this);
  }

  @Override
  public boolean plansOperations() {
    return true;
  }

  @Override
  public void opened(Engine opened, WriteBarrier itsBarrier) {
    engine = opened;
    barrier = itsBarrier;
    // the engine puts deletes above the local checkpoint of its commit into its version map
    SequenceNumbers.CommitInfo commit =
        SequenceNumbers.loadSeqNoInfoFromLuceneCommit(
            opened.commitStats().getUserData().entrySet());
    deletesSeen = commit.localCheckpoint < commit.maxSeqNo;
  }

  @Override
  public boolean provesNew(Engine.Index operation, boolean useful) {
    Published current = published;
    if (!enabled.on()) {
      if (current != null) {
        drop(current, null);
      }
      return false;
    }
    if (current == null) {
      if (useful && inactive == null && started.compareAndSet(false, true)) {
        start();
      }
      return false;
    }
    IdFilter filter = current.filter;
    long hash = filter.hash(operation.uid().bytes());
    Verdict verdict = current.add(hash);
    if (filter.full()) {
      drop(current, Inactive.SATURATED);
      return false;
    }
    if (!useful || verdict == Verdict.UNPROVEN) {
      counters.note();
      return false;
    }
    boolean isNew = verdict == Verdict.NEW;
    counters.asked(isNew);
    if (IdFilter.sampled(hash)) {
      sample(current, isNew);
    }
    return isNew;
  }

  @Override
  public void deleting(Engine.Delete operation) {
    // also with a filter: the next one does not know this id once a merge removed its tombstone
    deletesSeen = true;
    Published current = published;
    if (current == null) {
      return;
    }
    if (!enabled.on()) {
      drop(current, null);
    } else {
      current.filter.add(current.filter.hash(operation.uid().bytes()));
      if (current.filter.full()) {
        drop(current, Inactive.SATURATED);
      }
    }
  }

  @Override
  public void closed() {
    closed = true;
    Published current = published;
    if (current != null) {
      drop(current, null);
    }
    onClosed.run();
  }

  /** Begins afresh after the switch was moved: an inactive shard may try again. */
  void switched() {
    Published current = published;
    if (current != null && !enabled.on()) {
      drop(current, null);
    }
    inactive = null;
    if (published == null) {
      started.set(false);
    }
  }

  /** Why there is no filter, or null where there is one or may be. */
  @Nullable Inactive inactive() {
    return inactive;
  }

  /** Whether a filter is there, complete or not. */
  boolean hasFilter() {
    return published != null;
  }

  /** Whether the filter answers. */
  boolean complete() {
    Published current = published;
    return current != null && current.readiness.complete;
  }

  private void sample(Published current, boolean isNew) {
    if (!isNew) {
      sampledKnown.incrementAndGet();
    }
    if (sampledAll.incrementAndGet() == WINDOW) {
      double share = sampledKnown.get() / (double) WINDOW;
      sampledKnown.set(0);
      sampledAll.set(0);
      if (share > maxKnownShare.getAsDouble()) {
        drop(current, Inactive.NOT_PAYING);
      }
    }
  }

  private synchronized void drop(Published which, @Nullable Inactive why) {
    which.share.release();
    if (published == which) {
      published = null;
      inactive = why;
      sampledKnown.set(0);
      sampledAll.set(0);
      if (why == null) {
        started.set(false);
      } else {
        LOG.info(
            "shard {} looks up every id again: {} ({} ids, {} bytes)",
            config.getShardId(),
            why.label(),
            which.filter.ids(),
            which.filter.bytes());
      }
    }
  }

  private void start() {
    try {
      config.getThreadPool().generic().execute(this::build);
    } catch (OpenSearchRejectedExecutionException e) {
      LOG.debug("the node stops", e);
    }
  }

  private void build() {
    Engine from = Objects.requireNonNull(engine);
    WriteBarrier past = Objects.requireNonNull(barrier);
    Published mine = null;
    try {
      mine = publish(expectedIds(from));
      if (mine == null) {
        return;
      }
      past.settle("primary_key_filter");
      long settledMillis = config.getThreadPool().relativeTimeInMillis();
      boolean waits = deletesSeen;
      if (addAll(from, past, mine)) {
        if (waits) {
          completeOnceDeletesAreForgotten(mine, settledMillis);
        } else {
          complete(mine);
        }
      }
    } catch (AlreadyClosedException e) {
      LOG.debug("shard {} was closed while its ids were read", config.getShardId(), e);
      if (mine != null) {
        drop(mine, null);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "the ids of shard {} could not be read; every id is looked up", config.getShardId(), e);
      if (mine == null) {
        inactive = Inactive.FAILED;
      } else {
        drop(mine, Inactive.FAILED);
      }
    }
  }

  private synchronized @Nullable Published publish(long expected) {
    if (closed || published != null) {
      return null;
    }
    FilterMemory.Share share =
        memory.new Share(config.getCircuitBreakerService().getBreaker(CircuitBreaker.FIELDDATA));
    IdFilter filter = new IdFilter(expected, new SplittableRandom().nextLong(), share::reserve);
    if (filter.full()) {
      share.release();
      inactive = Inactive.SATURATED;
      return null;
    }
    Published fresh = new Published(filter, share, new Readiness());
    published = fresh;
    return fresh;
  }

  private static long expectedIds(Engine from) throws IOException {
    long ids = 0;
    try (Engine.Searcher searcher =
        from.acquireSearcher("primary_key_filter", Engine.SearcherScope.INTERNAL)) {
      for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
        Terms terms = leaf.reader().terms(IdFieldMapper.NAME);
        ids += terms == null ? 0 : Math.max(terms.size(), 0);
      }
    }
    return ids + ids / 2;
  }

  /** Adds the ids of all segments, unless the filter is dropped or the engine closed meanwhile. */
  private boolean addAll(Engine from, WriteBarrier past, Published mine) throws IOException {
    try (Engine.Searcher searcher =
        from.acquireSearcher("primary_key_filter", Engine.SearcherScope.INTERNAL)) {
      int read = 0;
      for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
        Terms terms = leaf.reader().terms(IdFieldMapper.NAME);
        if (terms == null) {
          continue;
        }
        TermsEnum ids = terms.iterator();
        for (BytesRef id = ids.next(); id != null; id = ids.next()) {
          mine.filter.add(mine.filter.hash(id));
          if (++read % TERMS_BETWEEN_LOOKS == 0 && (past.closed() || published != mine)) {
            return false;
          }
        }
      }
    }
    if (mine.filter.full()) {
      drop(mine, Inactive.SATURATED);
      return false;
    }
    return true;
  }

  private void completeOnceDeletesAreForgotten(Published mine, long settledMillis) {
    if (closed || published != mine) {
      return;
    }
    long age = config.getThreadPool().relativeTimeInMillis() - settledMillis;
    long wanted = config.getIndexSettings().getGcDeletesInMillis();
    boolean forgotten = wanted < 0 || age > wanted + CLOCK_MARGIN.millis();
    if (forgotten && config.isEnableGcDeletes()) {
      complete(mine);
      return;
    }
    long delay =
        Math.max(CLOCK_MARGIN.millis(), Math.min(wanted + CLOCK_MARGIN.millis() - age, 60_000L));
    try {
      config
          .getThreadPool()
          .schedule(
              () -> completeOnceDeletesAreForgotten(mine, settledMillis),
              TimeValue.timeValueMillis(delay),
              ThreadPool.Names.GENERIC);
    } catch (OpenSearchRejectedExecutionException e) {
      LOG.debug("the node stops", e);
    }
  }

  private void complete(Published mine) {
    mine.readiness.complete = true;
    LOG.debug(
        "shard {} knows all of its {} ids, in {} bytes",
        config.getShardId(),
        mine.filter.ids(),
        mine.filter.bytes());
  }
}
