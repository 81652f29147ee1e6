package io.millrace.write.logtext;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/** A query of a {@code log_text} field whose documents are a {@link PostingsUnion}. */
abstract class UnionQuery extends Query {
  private final String field;
  private final TemplateCache cache;

  UnionQuery(String field, TemplateCache cache) {
    this.field = field;
    this.cache = cache;
  }

  final String field() {
    return field;
  }

  /**
   * The postings of a segment that match, null where there are none.
   *
   * @param reader what the search reads the segment by
   * @param terms the field's terms as they are stored
   */
  abstract @Nullable PostingsUnion find(
      LeafReader reader, Terms terms, TemplateDictionary dictionary) throws IOException;

  @Override
  public final Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
        LeafReader reader = context.reader();
        Terms terms = LogTextReaders.stored(reader, field);
        TemplateDictionary dictionary = cache.get(reader, field);
        PostingsUnion found =
            terms == null || dictionary == null ? null : find(reader, terms, dictionary);
        return found == null ? null : found.supplier(reader, score(), scoreMode);
      }

      @Override
      public boolean isCacheable(LeafReaderContext context) {
        return true;
      }
    };
  }
}
