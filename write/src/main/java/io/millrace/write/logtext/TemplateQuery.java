package io.millrace.write.logtext;

import io.millrace.write.logtext.PhraseShape.Answer;
import java.io.IOException;
import java.util.BitSet;
import java.util.Locale;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Documents by what their templates say of a phrase. */
final class TemplateQuery extends UnionQuery {
  enum Wanted {
    /** Those whose template holds the phrase. */
    DECIDED,
    /** Those whose template may hold it, if the right variables stand in its holes. */
    MAYBE,
    /** Those with a value without template, whatever their templates say. */
    FREE
  }

  private final PhraseShape phrase;
  private final Wanted wanted;
  private final int maxTokens;

  /**
   * @param maxTokens a template of more tokens decides nothing
   */
  TemplateQuery(
      String field, PhraseShape phrase, Wanted wanted, int maxTokens, TemplateCache cache) {
    super(field, cache);
    this.phrase = phrase;
    this.wanted = wanted;
    this.maxTokens = maxTokens;
  }

  @Override
  @Nullable PostingsUnion find(LeafReader reader, Terms terms, TemplateDictionary dictionary)
      throws IOException {
    BitSet answering = new BitSet(dictionary.templates.length);
    BitSet possible = wanted == Wanted.FREE ? answering : phrase.possible(dictionary);
    for (int i = possible.nextSetBit(0); i >= 0; i = possible.nextSetBit(i + 1)) {
      TemplateDictionary.Position[] positions =
          TemplateDictionary.positions(dictionary.templates[i]);
      Answer answer = phrase.over(positions);
      if (answer == Answer.YES && 2 * positions.length > maxTokens) {
        answer = Answer.MAYBE;
      }
      if (answer == (wanted == Wanted.DECIDED ? Answer.YES : Answer.MAYBE)) {
        answering.set(i);
      }
    }
    BytesRef mark = wanted == Wanted.FREE ? Reserved.free() : null;
    return PostingsUnion.of(
        terms, dictionary, answering.stream().toArray(), PostingsUnion.over(terms, mark));
  }

  @Override
  boolean findsOneToken() {
    return true;
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String defaultField) {
    return "log_text_templates(" + field() + ", " + wanted.name().toLowerCase(Locale.ROOT) + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TemplateQuery that
        && field().equals(that.field())
        && phrase.equals(that.phrase)
        && wanted == that.wanted
        && maxTokens == that.maxTokens;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * classHash() + field().hashCode()) + phrase.hashCode() + wanted.ordinal();
  }
}
