package io.millrace.write.logtext;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.MappedFieldType;

/**
 * Of some candidates those that hold a phrase in their source. A phrase without slop is looked for
 * in the tokens of the field's values alone; others in an index of each document's values, as stock
 * does.
 */
final class PhraseLook extends Query {
  private static final float MATCH_COST = 1000f; // as stock says of its own

  private final Query candidates;
  private final Query phrase;
  private final int maxExpansions;
  private final @Nullable PhraseMatcher matcher;
  private final MappedFieldType fieldType;
  private final FieldValues.Source source;

  /**
   * @param maxExpansions of the phrase's last term as a prefix; -1 when it is none
   * @param matcher decides by the tokens of a value; null where only an index of the values can
   */
  PhraseLook(
      Query candidates,
      Query phrase,
      int maxExpansions,
      @Nullable PhraseMatcher matcher,
      MappedFieldType fieldType,
      FieldValues.Source source) {
    this.candidates = candidates;
    this.phrase = phrase;
    this.maxExpansions = maxExpansions;
    this.matcher = matcher;
    this.fieldType = fieldType;
    this.source = source;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Query rewritten = candidates.rewrite(searcher);
    return rewritten == candidates
        ? this
        : new PhraseLook(rewritten, phrase, maxExpansions, matcher, fieldType, source);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
      throws IOException {
    Weight weight = searcher.createWeight(candidates, ScoreMode.COMPLETE_NO_SCORES, boost);
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

      /** Without candidates it is known, and so is the number of those that templates decide. */
      @Override
      public int count(LeafReaderContext leaf) throws IOException {
        return weight.count(leaf) == 0 || weight.scorerSupplier(leaf) == null ? 0 : -1;
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
    FieldValues values = new FieldValues(source, leaf.reader());
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
  public void visit(QueryVisitor visitor) {
    candidates.visit(visitor);
  }

  @Override
  public String toString(String field) {
    return "log_text_read(" + phrase.toString(field) + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PhraseLook that
        && candidates.equals(that.candidates)
        && phrase.equals(that.phrase)
        && maxExpansions == that.maxExpansions
        && fieldType.equals(that.fieldType)
        && source.equals(that.source);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * classHash() + candidates.hashCode()) + phrase.hashCode())
        + source.hashCode();
  }
}
