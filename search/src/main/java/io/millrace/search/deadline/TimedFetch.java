package io.millrace.search.deadline;

import io.millrace.kernel.settings.Switch;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.search.ScoreDoc;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.SearchHits;
import org.opensearch.search.internal.SearchContext;

/**
 * Reads the hits of a shard before stock does, for as long as there is time, and puts what was read
 * in the place of stock's result: stock then finds no documents to read.
 *
 * <p>A failure while hits are read is left to stock: it reads them again and words the error.
 */
final class TimedFetch implements SearchOperationListener {
  final LongAdder unread = new LongAdder();

  private final Switch enabled;
  private final Deadlines deadlines;
  private final FetchClock clock;
  private final FetchTime atLeast;
  private final Map<SearchContext, Pending> pending = new ConcurrentHashMap<>();

  /** What has to be put in place when stock is through. */
  private record Pending(@Nullable SearchHits hits, int from) {}

  /**
   * @param atLeast how long hits are read after the end of the time
   */
  TimedFetch(Switch enabled, Deadlines deadlines, FetchClock clock, FetchTime atLeast) {
    this.enabled = enabled;
    this.deadlines = deadlines;
    this.clock = clock;
    this.atLeast = atLeast;
  }

  @Override
  public void onPreFetchPhase(SearchContext context) {
    Deadline deadline = enabled.on() ? deadlines.current() : null;
    if (deadline == null
        || deadline.unread() == Deadline.Unread.AWAITED
        || context.scrollContext() != null
        || context.isStreamSearch()) {
      return;
    }
    boolean known = context.docIdsToLoad() != null;
    int[] docs = known ? asked(context) : found(context);
    if (docs.length == 0) {
      return;
    }
    FetchPass pass = new FetchPass(context, clock, deadline.atLeast(soonest(known)), docs);
    try {
      pass.run();
    } catch (RuntimeException e) {
      context.docIdsToLoad(known ? docs : null, 0, known ? docs.length : 0);
      return;
    }
    leave(context, pass, known ? docs : null);
  }

  /**
   * When the time of a shard may be over at the soonest. The coordinating node has given its shards
   * the time to read hits together; one that waited for a thread meanwhile has a tenth of it.
   */
  private long soonest(boolean shared) {
    return System.nanoTime() + (shared ? atLeast.afterWaiting() : atLeast.shared());
  }

  /** Leaves stock nothing to read, or a reason to fail. */
  private void leave(SearchContext context, FetchPass pass, int @Nullable [] asked) {
    OpenSearchStatusException refusal = pass.refusal();
    int from = context.from();
    unread.add(pass.unread());
    if (refusal != null) {
      clock.refuse(refusal);
      context.docIdsToLoad(asked, 0, asked == null ? 0 : asked.length);
      pending.put(context, new Pending(null, from));
      return;
    }
    pending.put(context, new Pending(pass.hits(), from));
    context.docIdsToLoad(new int[0], 0, 0);
    if (asked == null) {
      // SearchService#shortcutDocIdsToLoad at 3.8.0 takes what follows the first [from] hits
      context.from(Integer.MAX_VALUE);
    }
  }

  @Override
  public void onFetchPhase(SearchContext context, long tookInNanos) {
    ends(context);
  }

  @Override
  public void onFailedFetchPhase(SearchContext context) {
    ends(context);
  }

  private void ends(SearchContext context) {
    Pending done = pending.remove(context);
    if (done == null) {
      return;
    }
    clock.refused();
    context.from(done.from);
    if (done.hits != null) {
      context.fetchResult().hits(done.hits);
    }
  }

  /** The documents that the coordinating node asks for. */
  private static int[] asked(SearchContext context) {
    int from = context.docIdsToLoadFrom();
    return Arrays.copyOfRange(context.docIdsToLoad(), from, from + context.docIdsToLoadSize());
  }

  /** Those of a search of one shard, which reads what it has found. */
  private static int[] found(SearchContext context) {
    ScoreDoc[] hits = context.queryResult().topDocs().topDocs.scoreDocs;
    int from = Math.min(context.from(), hits.length);
    int to = (int) Math.min((long) from + context.size(), hits.length);
    return Arrays.stream(hits, from, to).mapToInt(hit -> hit.doc).toArray();
  }

  /** Fetches at work; zero on an idle node. */
  int open() {
    return pending.size();
  }
}
