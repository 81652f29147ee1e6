package io.millrace.write.logtext;

import java.io.IOException;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.MultiTermQuery.RewriteMethod;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * Runs a query of many terms as a {@link TokensQuery} where a segment has templates, and as stock
 * does where none has (a highlighter's memory index). A rewrite, not a query of its own, so that
 * whoever takes a query apart finds the one that a {@code match_only_text} field would build.
 *
 * <p>For constant scores alone. Queries that score by frequency are Lucene's, over the {@link
 * TokenView}.
 */
final class TokenRewrite extends RewriteMethod {
  private final TemplateCache cache;

  TokenRewrite(TemplateCache cache) {
    this.cache = cache;
  }

  /** Whether a rewrite gives each document the same score and bounds no terms; null is stock's. */
  static boolean replaces(@Nullable RewriteMethod method) {
    return method == null
        || method == MultiTermQuery.CONSTANT_SCORE_REWRITE
        || method == MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE;
  }

  @Override
  public Query rewrite(IndexSearcher searcher, MultiTermQuery query) throws IOException {
    return LogTextReaders.holdTemplates(searcher.getIndexReader(), query.getField())
        ? new TokensQuery(query, cache)
        : MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE.rewrite(searcher, query);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TokenRewrite that && cache == that.cache;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(cache);
  }
}
