package io.millrace.write.logtext;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.DocIdSetBuilder;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Documents of a {@code log_text} field that hold a token: the union of the postings of the tokens
 * that match and of the templates that hold a token that matches. Constant scores.
 *
 * <p>What matches is asked of the query that a {@code match_only_text} field would run, a {@link
 * TermQuery} or a {@link MultiTermQuery} (prefix, wildcard, regexp, range, terms): once over the
 * segment's own terms, once over the tokens of its templates. On an index without log_text terms (a
 * highlighter's or percolator's memory index) it rewrites to that query.
 */
final class TokenQuery extends Query {
  private final Query inner;
  private final String field;
  private final TemplateCache cache;

  private TokenQuery(Query inner, String field, TemplateCache cache) {
    this.inner = inner;
    this.field = field;
    this.cache = cache;
  }

  static TokenQuery of(Term term, TemplateCache cache) {
    return new TokenQuery(new TermQuery(term), term.field(), cache);
  }

  static TokenQuery of(MultiTermQuery query, TemplateCache cache) {
    return new TokenQuery(query, query.getField(), cache);
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      if (holdsReserved(leaf.reader(), field)) {
        return this;
      }
    }
    return new ConstantScoreQuery(inner);
  }

  /** Whether a segment's field was written by log_text: its first term is then a reserved one. */
  static boolean holdsReserved(LeafReader reader, String field) throws IOException {
    Terms terms = reader.terms(field);
    if (terms == null) {
      return false;
    }
    BytesRef first = terms.iterator().next();
    return first != null && Reserved.isReserved(first);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
        Found found = find(context.reader());
        if (found == null || found.states.isEmpty()) {
          return null;
        }
        float score = score();
        return new ScorerSupplier() {
          @Override
          public Scorer get(long leadCost) throws IOException {
            return new ConstantScoreScorer(score, scoreMode, found.union(context.reader()));
          }

          @Override
          public long cost() {
            return found.cost;
          }
        };
      }

      @Override
      public boolean isCacheable(LeafReaderContext context) {
        return true;
      }
    };
  }

  private @Nullable Found find(LeafReader reader) throws IOException {
    Terms terms = reader.terms(field);
    TemplateDictionary dictionary = cache.get(reader, field);
    if (terms == null || dictionary == null) {
      return null;
    }
    Found found = new Found(terms.iterator());
    if (inner instanceof TermQuery query) {
      BytesRef token = query.getTerm().bytes();
      if (!Reserved.isReserved(token)) {
        if (found.source.seekExact(token)) {
          found.add();
        }
        for (int owner : dictionary.owners(token)) {
          found.seek(dictionary.templates[owner]);
        }
      }
      return found;
    }
    MultiTermQuery query = (MultiTermQuery) inner;
    TermsEnum matching = query.getTermsEnum(terms);
    for (BytesRef term = matching.next(); term != null; term = matching.next()) {
      if (!Reserved.isReserved(term)) {
        found.add(matching);
      }
    }
    FixedBitSet owners = new FixedBitSet(Math.max(1, dictionary.templates.length));
    BytesRef[] tokens = dictionary.tokens();
    TermsEnum inTemplates = query.getTermsEnum(new TokenTerms(tokens));
    for (BytesRef token = inTemplates.next(); token != null; token = inTemplates.next()) {
      int place = Arrays.binarySearch(tokens, token);
      for (int owner : dictionary.owners(place)) {
        owners.set(owner);
      }
    }
    for (int i = 0; i < dictionary.templates.length; i++) {
      if (owners.get(i)) {
        found.seek(dictionary.templates[i]);
      }
    }
    return found;
  }

  /** Terms of one segment, remembered so that their postings can be read when they are wanted. */
  static final class Found {
    private final TermsEnum source;
    private final List<BytesRef> terms = new ArrayList<>();
    private final List<TermState> states = new ArrayList<>();
    private long cost;

    Found(TermsEnum source) {
      this.source = source;
    }

    void seek(BytesRef term) throws IOException {
      if (source.seekExact(term)) {
        add();
      }
    }

    void add() throws IOException {
      add(source);
    }

    void add(TermsEnum at) throws IOException {
      terms.add(BytesRef.deepCopyOf(at.term()));
      states.add(at.termState());
      cost += at.docFreq();
    }

    boolean isEmpty() {
      return states.isEmpty();
    }

    long cost() {
      return cost;
    }

    DocIdSetIterator union(LeafReader reader) throws IOException {
      if (states.size() == 1) {
        return postings(0, null);
      }
      DocIdSetBuilder union = new DocIdSetBuilder(reader.maxDoc());
      PostingsEnum postings = null;
      for (int i = 0; i < states.size(); i++) {
        postings = postings(i, postings);
        union.add(postings);
      }
      return union.build().iterator();
    }

    private PostingsEnum postings(int i, @Nullable PostingsEnum reuse) throws IOException {
      source.seekExact(terms.get(i), states.get(i));
      return source.postings(reuse, PostingsEnum.NONE);
    }
  }

  @Override
  public void visit(QueryVisitor visitor) {
    inner.visit(visitor);
  }

  @Override
  public String toString(String defaultField) {
    return "log_text(" + inner.toString(defaultField) + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TokenQuery that && inner.equals(that.inner);
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + inner.hashCode();
  }
}
