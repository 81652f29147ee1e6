package io.millrace.search.deadline;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.search.TopDocs;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.common.lucene.search.TopDocsAndMaxScore;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.fetch.FetchPhase;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.query.QueryPhase.TimeExceededException;

/**
 * Reads the hits of the buckets of {@code top_hits} on one shard for as long as there is time.
 *
 * <p>Stock reads them in the query phase after the last document, bucket by bucket and without any
 * time (TopHitsAggregator#buildAggregation at 3.8.0). A bucket whose hits are not read keeps their
 * number and its best score, and has none of them: the documents that it found are taken back, so
 * that the reduction does not look for their hits (InternalTopHits#reduce at 3.8.0).
 */
final class TopHitsFetch extends FetchPhase {
  private final FetchPhase in;
  private final SearchContext search;
  private final Deadline deadline;
  private final long atLeast;
  private final LongAdder unread;
  private @Nullable Deadline extended; // from the first bucket on

  /**
   * @param search the one whose aggregations these are
   * @param atLeast how long hits are read after the query in any case, nanoseconds
   * @param unread counts the hits that are not read
   */
  TopHitsFetch(SearchContext search, Deadline deadline, long atLeast, LongAdder unread) {
    super(List.of());
    this.in = search.fetchPhase();
    this.search = search;
    this.deadline = deadline;
    this.atLeast = atLeast;
    this.unread = unread;
  }

  @Override
  public void execute(SearchContext bucket, String profile) {
    if (over()) {
      leaveOut(bucket);
      return;
    }
    try {
      in.execute(bucket, profile);
    } catch (RuntimeException e) {
      // terms that stock reads for a hit, while its clock of the query phase is still set
      if (ExceptionsHelper.unwrap(e, TimeExceededException.class) == null) {
        throw e;
      }
      if (bucket.getProfilers() != null) {
        bucket.getProfilers().getFetchProfiler().endFetchPhase(profile);
      }
      leaveOut(bucket);
    }
  }

  /** The buckets of one search share the time, also those of segments that are searched at once. */
  private synchronized boolean over() {
    long now = System.nanoTime();
    Deadline shared = extended;
    if (shared == null) {
      shared = deadline.atLeast(now + atLeast);
      extended = shared;
    }
    return now - shared.end() > 0;
  }

  private void leaveOut(SearchContext bucket) {
    TopDocsAndMaxScore found = bucket.queryResult().topDocs();
    TopDocs documents = found.topDocs;
    unread.add(documents.scoreDocs.length);
    if (deadline.unread() == Deadline.Unread.REFUSED) {
      throw deadline.refusal("[" + documents.scoreDocs.length + "] hits of a bucket of [top_hits]");
    }
    documents.scoreDocs = Arrays.copyOf(documents.scoreDocs, 0);
    bucket
        .fetchResult()
        .hits(new SearchHits(new SearchHit[0], documents.totalHits, found.maxScore));
    // the one is read after a search for documents, the other one is its answer
    search.setSearchTimedOut(true);
    search.queryResult().searchTimedOut(true);
  }
}
