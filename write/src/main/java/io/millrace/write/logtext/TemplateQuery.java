package io.millrace.write.logtext;

import io.millrace.write.logtext.PhraseShape.Answer;
import java.io.IOException;
import java.util.BitSet;
import java.util.stream.Stream;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Documents for which the templates decide a phrase, or documents for which they do not: those with
 * a template that may hold it, and those with a value without template.
 */
final class TemplateQuery extends Query {
  private final String field;
  private final PhraseShape phrase;
  private final boolean decided;
  private final int maxTokens;
  private final TemplateCache cache;

  /**
   * @param decided whether to find the documents whose template answers yes, or the open ones
   * @param maxTokens a template of more tokens decides nothing
   */
  TemplateQuery(
      String field, PhraseShape phrase, boolean decided, int maxTokens, TemplateCache cache) {
    this.field = field;
    this.phrase = phrase;
    this.decided = decided;
    this.maxTokens = maxTokens;
    this.cache = cache;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
        PostingsUnion found = find(context.reader());
        return found == null ? null : found.supplier(context.reader(), score(), scoreMode);
      }

      @Override
      public boolean isCacheable(LeafReaderContext context) {
        return true;
      }
    };
  }

  private @Nullable PostingsUnion find(LeafReader reader) throws IOException {
    Terms terms = reader.terms(field);
    TemplateDictionary dictionary = cache.get(reader, field);
    if (terms == null || dictionary == null) {
      return null;
    }
    BitSet answering = new BitSet(dictionary.templates.length);
    for (int i = 0; i < dictionary.templates.length; i++) {
      TemplateDictionary.Position[] positions =
          TemplateDictionary.positions(dictionary.templates[i]);
      Answer answer = phrase.over(positions);
      if (answer == Answer.YES && 2 * positions.length > maxTokens) {
        answer = Answer.MAYBE;
      }
      if (answer == (decided ? Answer.YES : Answer.MAYBE)) {
        answering.set(i);
      }
    }
    Stream<BytesRef> mark = decided ? Stream.empty() : Stream.of(Reserved.free());
    Stream<BytesRef> templates = answering.stream().mapToObj(i -> dictionary.templates[i]);
    return PostingsUnion.of(
        terms, PostingsUnion.over(terms, Stream.concat(mark, templates).iterator()));
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String defaultField) {
    return "log_text_templates(" + field + (decided ? ", decided" : ", open") + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TemplateQuery that
        && field.equals(that.field)
        && phrase.equals(that.phrase)
        && decided == that.decided
        && maxTokens == that.maxTokens;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * classHash() + field.hashCode()) + phrase.hashCode() + (decided ? 1 : 0);
  }
}
