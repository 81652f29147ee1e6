package io.millrace.write.logtext;

import java.io.IOException;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.SourceFieldMatchQuery;

/**
 * The phrase query of a {@code match_only_text} field ({@link SourceFieldMatchQuery}), to whoever
 * takes it apart too, which looks at fewer documents and at less of each ({@link PhraseDocuments}).
 * Stock parses the whole source and builds an index of each document's values.
 */
final class SourcePhraseQuery extends SourceFieldMatchQuery {
  private final PhraseDocuments documents;

  /**
   * @param shown what stock's query would look at, for visitors
   * @param documents that it finds
   */
  SourcePhraseQuery(
      Query shown,
      Query phrase,
      PhraseDocuments documents,
      LogTextFieldType fieldType,
      QueryShardContext context) {
    super(shown, phrase, fieldType, context);
    this.documents = documents;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) {
    return documents;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
      throws IOException {
    return documents.createWeight(searcher, mode, boost);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof SourcePhraseQuery that
        && documents.equals(that.documents);
  }

  @Override
  public int hashCode() {
    return 31 * super.hashCode() + documents.hashCode();
  }
}
