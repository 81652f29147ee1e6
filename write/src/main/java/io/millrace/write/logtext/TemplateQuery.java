package io.millrace.write.logtext;

import io.millrace.write.logtext.PhraseShape.Answer;
import java.io.IOException;
import java.util.BitSet;
import java.util.stream.Stream;
import org.apache.lucene.index.Terms;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Documents for which the templates decide a phrase, or documents for which they do not: those with
 * a template that may hold it, and those with a value without template.
 */
final class TemplateQuery extends UnionQuery {
  private final PhraseShape phrase;
  private final boolean decided;
  private final int maxTokens;

  /**
   * @param decided whether to find the documents whose template answers yes, or the open ones
   * @param maxTokens a template of more tokens decides nothing
   */
  TemplateQuery(
      String field, PhraseShape phrase, boolean decided, int maxTokens, TemplateCache cache) {
    super(field, cache);
    this.phrase = phrase;
    this.decided = decided;
    this.maxTokens = maxTokens;
  }

  @Override
  @Nullable PostingsUnion find(Terms terms, TemplateDictionary dictionary) throws IOException {
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
    return "log_text_templates(" + field() + (decided ? ", decided" : ", open") + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TemplateQuery that
        && field().equals(that.field())
        && phrase.equals(that.phrase)
        && decided == that.decided
        && maxTokens == that.maxTokens;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * classHash() + field().hashCode()) + phrase.hashCode() + (decided ? 1 : 0);
  }
}
