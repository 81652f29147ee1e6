package io.millrace.write.logtext;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lucene.search.MultiPhrasePrefixQuery;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.SourceFieldMatchQuery;

/**
 * The phrase query of a {@code match_only_text} field ({@link SourceFieldMatchQuery}), to whoever
 * takes it apart too, which looks at fewer documents and at less of each ({@link PhraseDocuments}).
 * Stock parses the whole source and builds an index of each document's values.
 */
final class SourcePhraseQuery extends SourceFieldMatchQuery {
  private final Query phrase;
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
    this.phrase = phrase;
    this.documents = documents;
  }

  /**
   * A highlighter that makes an index of one text, which is a leaf, marks what it is shown then:
   * the words that the last term of a phrase prefix stands for, too.
   */
  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    return searcher.getIndexReader() instanceof LeafReader
            && phrase instanceof MultiPhrasePrefixQuery prefix
        ? documents.showing(searcher.rewrite(allOf(prefix)))
        : documents;
  }

  /** As MatchOnlyTextFieldMapper.MatchOnlyTextFieldType#phrasePrefixQuery at 3.8.0. */
  private static Query allOf(MultiPhrasePrefixQuery phrase) {
    Term[][] terms = phrase.getTerms();
    BooleanQuery.Builder all = new BooleanQuery.Builder();
    for (int i = 0; i < terms.length - 1; i++) {
      BooleanQuery.Builder any = new BooleanQuery.Builder();
      for (Term term : terms[i]) {
        any.add(new TermQuery(term), Occur.SHOULD);
      }
      all.add(any.build(), Occur.FILTER);
    }
    Term[] prefixes = terms[terms.length - 1];
    MultiPhrasePrefixQuery last = new MultiPhrasePrefixQuery(prefixes[0].field());
    last.add(prefixes);
    return all.add(last, Occur.FILTER).build();
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
      throws IOException {
    return documents.createWeight(searcher, mode, boost);
  }

  /** Says what runs, so that {@code _validate/query?explain} tells what templates decide. */
  @Override
  public String toString(String field) {
    return documents.toString(field);
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
