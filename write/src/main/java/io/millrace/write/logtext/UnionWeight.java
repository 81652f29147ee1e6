package io.millrace.write.logtext;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.jspecify.annotations.Nullable;

/** Of a query of a {@code log_text} field whose documents are a {@link PostingsUnion}. */
final class UnionWeight extends ConstantScoreWeight {
  /** Finds the postings of a segment that match. */
  @FunctionalInterface
  interface Finder {
    /**
     * Null where there are none.
     *
     * @param reader what the search reads the segment by
     * @param terms the field's terms as they are stored
     */
    @Nullable PostingsUnion find(LeafReader reader, Terms terms, TemplateDictionary dictionary)
        throws IOException;
  }

  private final String field;
  private final TemplateCache cache;
  private final ScoreMode mode;
  private final boolean oneToken;
  private final Finder finder;

  /**
   * The weight of a query.
   *
   * @param oneToken whether what is found are templates and, besides, one token that they hold or
   *     the mark of values without template: then the number of documents may be known without
   *     reading them
   */
  UnionWeight(
      Query query,
      float boost,
      String field,
      TemplateCache cache,
      ScoreMode mode,
      boolean oneToken,
      Finder finder) {
    super(query, boost);
    this.field = field;
    this.cache = cache;
    this.mode = mode;
    this.oneToken = oneToken;
    this.finder = finder;
  }

  private @Nullable PostingsUnion find(LeafReader reader) throws IOException {
    Terms terms = LogTextReaders.stored(reader, field);
    TemplateDictionary dictionary = cache.get(reader, field);
    return terms == null || dictionary == null ? null : finder.find(reader, terms, dictionary);
  }

  @Override
  public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
    LeafReader reader = context.reader();
    PostingsUnion found = find(reader);
    return found == null ? null : found.supplier(reader, score(), mode);
  }

  @Override
  public int count(LeafReaderContext context) throws IOException {
    LeafReader reader = context.reader();
    if (!oneToken || reader.hasDeletions()) {
      return -1;
    }
    PostingsUnion found = find(reader);
    return found == null ? 0 : found.countOfOne();
  }

  @Override
  public boolean isCacheable(LeafReaderContext context) {
    return true;
  }
}
