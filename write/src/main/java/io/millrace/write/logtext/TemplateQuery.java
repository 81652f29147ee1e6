package io.millrace.write.logtext;

import java.io.IOException;
import java.util.Locale;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Documents by what their templates say of a phrase. */
final class TemplateQuery extends Query {
  enum Wanted {
    /** Those whose template holds the phrase. */
    DECIDED,
    /** Those whose template may hold it, if the right variables stand in its holes. */
    MAYBE,
    /** Those with a value without template, whatever their templates say. */
    FREE
  }

  private static final int[] NONE = {};

  private final String field;
  private final TemplateCache cache;
  private final PhraseTemplates phrase;
  private final Wanted wanted;

  TemplateQuery(String field, PhraseTemplates phrase, Wanted wanted, TemplateCache cache) {
    this.field = field;
    this.cache = cache;
    this.phrase = phrase;
    this.wanted = wanted;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
    return new UnionWeight(
        this,
        boost,
        field,
        cache,
        mode,
        true,
        (reader, terms, dictionary) -> find(terms, dictionary));
  }

  private @Nullable PostingsUnion find(Terms terms, TemplateDictionary dictionary)
      throws IOException {
    int[] answering =
        switch (wanted) {
          case DECIDED -> phrase.of(dictionary).decided();
          case MAYBE -> phrase.of(dictionary).maybe();
          case FREE -> NONE;
        };
    BytesRef mark = wanted == Wanted.FREE ? Reserved.free() : null;
    return PostingsUnion.of(terms, dictionary, answering, PostingsUnion.over(terms, mark));
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String defaultField) {
    return "log_text_templates(" + field + ", " + wanted.name().toLowerCase(Locale.ROOT) + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TemplateQuery that
        && field.equals(that.field)
        && phrase.equals(that.phrase)
        && wanted == that.wanted;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * classHash() + field.hashCode()) + phrase.hashCode() + wanted.ordinal();
  }
}
