package io.millrace.write.logtext;

import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/**
 * The term query of a {@code log_text} field: runs as a {@link TokenQuery} where a segment has
 * templates. A {@link TermQuery} to whoever takes it apart, as on {@code match_only_text}
 * (MappedFieldType#extractTerm at 3.8.0, percolator, highlighters).
 */
final class TokenTermQuery extends TermQuery {
  private final TemplateCache cache;

  TokenTermQuery(Term term, TemplateCache cache) {
    super(term);
    this.cache = cache;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Term term = getTerm();
    return LogTextReaders.holdTemplates(searcher.getIndexReader(), term.field())
        ? TokenQuery.of(term, cache)
        : new TermQuery(term);
  }
}
