package io.millrace.search.deadline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.internal.SearchContext;

/**
 * Reads the hits of one shard until the time is over, by stock's fetch phase and in portions.
 *
 * <p>Stock reads all hits of a shard in one go, in the order of their documents (FetchPhase#execute
 * at 3.8.0), and has nothing to show before the last. Portions come in the order of the answer, so
 * that the best hits are read first; how large the next may be follows from how long the last took,
 * so that where time is plenty there are two.
 */
final class FetchPass {
  /** Hits of the first portion: those of a usual page are all in it. */
  private static final int FIRST = 16;

  /** The part of the time left that the next portion is expected to take. */
  private static final double PART = 0.25;

  private final SearchContext context;
  private final FetchClock clock;
  private final Deadline deadline;
  private final int[] docs;
  private final SearchHit[] hits;
  private final long end;

  private List<SearchHit> read = new ArrayList<>();
  private int portion;
  private long portionBegan;
  private boolean open;
  private boolean between;
  private int unread;

  /** The end of the time; never leaves this class. */
  private static final class TimeOver extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TimeOver() {
      super("the time of the search is over", null, false, false);
    }
  }

  /**
   * @param deadline when to stop
   * @param docs the documents, in the order of the answer
   */
  FetchPass(SearchContext context, FetchClock clock, Deadline deadline, int[] docs) {
    this.context = context;
    this.clock = clock;
    this.deadline = deadline;
    this.docs = docs;
    this.hits = new SearchHit[docs.length];
    this.end = deadline.end();
  }

  /**
   * Reads until all hits are read or the time is over.
   *
   * @throws RuntimeException what stock's fetch phase throws
   */
  void run() {
    clock.begin(this);
    Runnable look = this::look;
    // what reads terms or points for a hit ends, too: its explanation, its named queries
    context.searcher().addQueryCancellation(look);
    try {
      int from = 0;
      int size = FIRST;
      while (from < docs.length && !over() && portion(from, Math.min(size, docs.length - from))) {
        from += portion;
        size = next(from);
      }
    } finally {
      context.searcher().removeQueryCancellation(look);
      clock.end();
    }
    markUnread();
  }

  private int next(int done) {
    long now = System.nanoTime();
    double perHit = Math.max(1, now - portionBegan) / (double) portion;
    double fits = PART * Math.max(0, end - now) / perHit;
    return (int) Math.max(1, Math.min(fits, docs.length - done));
  }

  /** Whether all of the portion was read. */
  private boolean portion(int from, int size) {
    portionBegan = System.nanoTime();
    portion = size;
    open = false;
    between = false;
    read = new ArrayList<>();
    context.docIdsToLoad(docs, from, size);
    try {
      context.fetchPhase().execute(context);
      System.arraycopy(context.fetchResult().hits().getHits(), 0, hits, from, size);
      return true;
    } catch (RuntimeException e) {
      if (ExceptionsHelper.unwrap(e, TimeOver.class) == null) {
        throw e;
      }
      keep(from, size);
      return false;
    }
  }

  /** Puts what was read, in the order of the documents, where it belongs in the answer. */
  private void keep(int from, int size) {
    int[] order =
        IntStream.range(from, from + size)
            .boxed()
            .sorted((a, b) -> Integer.compare(docs[a], docs[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    // where the end did not come between two hits, the last one may lack what later phases add
    int whole = between ? read.size() : read.size() - 1;
    for (int i = 0; i < whole; i++) {
      hits[order[i]] = read.get(i);
    }
    if (context.getProfilers() != null) {
      context.getProfilers().getFetchProfiler().endFetchPhase("fetch");
    }
  }

  private void markUnread() {
    for (int i = 0; i < hits.length; i++) {
      if (hits[i] == null) {
        hits[i] = UnreadHits.mark(docs[i]);
        unread++;
      }
    }
  }

  /** Hits that were found and not read. */
  int unread() {
    return unread;
  }

  /** The result of the shard, with marks for what was not read. */
  SearchHits hits() {
    return new SearchHits(
        Arrays.copyOf(hits, hits.length),
        context.queryResult().getTotalHits(),
        context.queryResult().getMaxScore());
  }

  /** Whether the processors that are made now are those of the shard's hits, not of inner ones. */
  boolean opens() {
    boolean first = !open;
    open = true;
    return first;
  }

  /** All phases but the later ones have seen this hit; those before it are whole. */
  void read(SearchHit hit) {
    if (over() && read.size() + 1 < portion) {
      between = true;
      throw new TimeOver();
    }
    read.add(hit);
  }

  /** Ends the pass when its time is over, or the search is cancelled. */
  void look() {
    if (context.isCancelled()) {
      String reason = context.getTask() == null ? null : context.getTask().getReasonCancelled();
      throw new TaskCancelledException("the search was cancelled while hits were read: " + reason);
    }
    if (over()) {
      throw new TimeOver();
    }
  }

  private boolean over() {
    return System.nanoTime() - end > 0;
  }

  /** Why a search may not have an answer without these hits; {@code null} when it may. */
  @Nullable OpenSearchStatusException refusal() {
    return unread == 0 || deadline.unread() != Deadline.Unread.REFUSED
        ? null
        : deadline.refusal("[" + unread + "] of [" + docs.length + "] hits of the shard");
  }
}
