package io.millrace.write.logtext;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.SourceFieldMatchQuery;

/**
 * The phrase query of a {@code match_only_text} field ({@link SourceFieldMatchQuery}), to whoever
 * takes it apart too, which looks at fewer documents and at less of each: candidates are found by
 * what templates say, and a phrase without slop is looked for in the tokens of the field's values
 * alone. Stock parses the whole source and builds an index of each document's values.
 */
final class SourcePhraseQuery extends SourceFieldMatchQuery {
  private static final float MATCH_COST = 1000f; // as stock says of its own

  private final Query shown;
  private final Query candidates;
  private final Query phrase;
  private final @Nullable PhraseMatcher matcher;
  private final LogTextFieldType fieldType;
  private final QueryShardContext context;

  /**
   * @param shown what stock's query would look at, for visitors
   * @param candidates the documents to look at
   * @param matcher decides by the tokens of a value; null where only an index of the values can
   */
  SourcePhraseQuery(
      Query shown,
      Query candidates,
      Query phrase,
      @Nullable PhraseMatcher matcher,
      LogTextFieldType fieldType,
      QueryShardContext context) {
    super(shown, phrase, fieldType, context);
    this.shown = shown;
    this.candidates = candidates;
    this.phrase = phrase;
    this.matcher = matcher;
    this.fieldType = fieldType;
    this.context = context;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Query rewritten = candidates.rewrite(searcher);
    return rewritten == candidates
        ? this
        : new SourcePhraseQuery(shown, rewritten, phrase, matcher, fieldType, context);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
      throws IOException {
    Weight weight = candidates.createWeight(searcher, ScoreMode.COMPLETE_NO_SCORES, boost);
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        ScorerSupplier found = weight.scorerSupplier(leaf);
        if (found == null) {
          return null;
        }
        return new ScorerSupplier() {
          @Override
          public Scorer get(long leadCost) throws IOException {
            return new ConstantScoreScorer(score(), mode, look(leaf, found.get(leadCost)));
          }

          @Override
          public long cost() {
            return found.cost();
          }
        };
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return weight.isCacheable(leaf);
      }
    };
  }

  private TwoPhaseIterator look(LeafReaderContext leaf, Scorer found) {
    TwoPhaseIterator unsure = found.twoPhaseIterator();
    DocIdSetIterator approximation = unsure == null ? found.iterator() : unsure.approximation();
    FieldValues values = new FieldValues(fieldType, context, leaf.reader());
    SourceScan scan = values.scan(matcher);
    return new TwoPhaseIterator(approximation) {
      @Override
      public boolean matches() throws IOException {
        if (unsure != null && !unsure.matches()) {
          return false;
        }
        values.read(approximation.docID());
        if (scan != null) {
          SourceScan.Answer seen = values.look(scan);
          if (seen != SourceScan.Answer.UNSEEN) {
            return seen == SourceScan.Answer.YES;
          }
        }
        List<String> texts = values.values();
        return matcher == null
            ? PhraseMatcher.matchesIndexed(phrase, fieldType, texts)
            : matcher.matches(phrase, fieldType, texts);
      }

      @Override
      public float matchCost() {
        return MATCH_COST;
      }
    };
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other)
        && other instanceof SourcePhraseQuery that
        && candidates.equals(that.candidates);
  }

  @Override
  public int hashCode() {
    return 31 * super.hashCode() + candidates.hashCode();
  }
}
