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

  /**
   * Whether what is found are templates and, besides, one token that they hold or the mark of
   * values without template: then the number of documents may be known without reading them.
   */
  abstract boolean findsOneToken();

  private @Nullable PostingsUnion find(LeafReader reader) throws IOException {
    Terms terms = LogTextReaders.stored(reader, field);
    TemplateDictionary dictionary = cache.get(reader, field);
    return terms == null || dictionary == null ? null : find(reader, terms, dictionary);
  }

  @Override
  public final Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
        LeafReader reader = context.reader();
        PostingsUnion found = find(reader);
        return found == null ? null : found.supplier(reader, score(), scoreMode);
      }

      @Override
      public int count(LeafReaderContext context) throws IOException {
        LeafReader reader = context.reader();
        if (!findsOneToken() || reader.hasDeletions()) {
          return -1;
        }
        PostingsUnion found = find(reader);
        return found == null ? 0 : found.countOfOne();
      }

      @Override
      public boolean isCacheable(LeafReaderContext context) {
        return true;
      }
    };
  }
}
