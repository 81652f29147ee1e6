package io.millrace.write.logtext;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.AttributeSource;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Documents of a {@code log_text} field that hold a token that matches a query of many terms
 * (prefix, wildcard, regexp, range, terms): the union of the postings of the tokens that match and
 * of the templates that hold a token that matches. Constant scores; memory does not grow with the
 * tokens that match, see {@link PostingsUnion}.
 *
 * <p>What matches is asked of the query that a {@code match_only_text} field would run: once over
 * the segment's own terms, once over the tokens of its templates. Where every token that matches
 * holds some bytes, whatever it begins with, a digest tells where they may stand ({@link
 * PartOfToken}).
 *
 * <p>A query of many terms itself, which rewrites to itself, since stock's cache of queries keeps
 * such a query from its second use on and others from their fifth (IndicesQueryCache at 3.8.0).
 */
final class TokensQuery extends MultiTermQuery {
  private static final int TERMS_BETWEEN_CHECKS = 256;

  private static final RewriteMethod ITSELF =
      new RewriteMethod() {
        @Override
        public Query rewrite(IndexSearcher searcher, MultiTermQuery query) {
          return query;
        }
      };

  private final MultiTermQuery inner;
  private final TemplateCache cache;
  private @Nullable PartOfToken part;
  private boolean partKnown;

  TokensQuery(MultiTermQuery inner, TemplateCache cache) {
    super(inner.getField(), ITSELF);
    this.inner = inner;
    this.cache = cache;
  }

  @Override
  protected TermsEnum getTermsEnum(Terms terms, AttributeSource attributes) throws IOException {
    return inner.getTermsEnum(terms);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
    return new UnionWeight(
        this,
        boost,
        getField(),
        cache,
        mode,
        false,
        (reader, terms, dictionary) -> {
          PartOfToken part = part();
          return PostingsUnion.of(
              terms,
              dictionary,
              owners(dictionary, part).stream().toArray(),
              tokens(reader, terms, dictionary, part));
        });
  }

  /** Found out when a segment is not in the cache of queries, once for a search. */
  private synchronized @Nullable PartOfToken part() {
    if (!partKnown) {
      part = PartOfToken.of(inner);
      partKnown = true;
    }
    return part;
  }

  /** Goes over the segment's own terms that match. */
  private PostingsUnion.Walk tokens(
      LeafReader reader, Terms terms, TemplateDictionary dictionary, @Nullable PartOfToken part)
      throws IOException {
    PartOfToken.Onwards onwards = onwards(reader);
    if (part != null) {
      TermDigest digest = dictionary.digest();
      if (digest != null) {
        return part.walk(terms, digest, onwards);
      }
      if (PartOfToken.isWorthIt(terms) && cache.mayKeep(dictionary, terms.size())) {
        return part.walk(terms, onwards, made -> cache.keep(dictionary, made));
      }
    }
    TermsEnum matching = inner.getTermsEnum(terms);
    return () -> {
      onwards.looked();
      BytesRef term = matching.next();
      while (term != null && Reserved.isReserved(term)) {
        term = matching.next();
      }
      return term == null ? null : matching;
    };
  }

  /**
   * Terms are read past the search's own reader, which would end an enumeration when the search is
   * cancelled; so that reader is asked now and then (ExitableDirectoryReader at 3.8.0: each
   * enumeration asks when it is made).
   */
  private PartOfToken.Onwards onwards(LeafReader reader) {
    int[] seen = {0};
    return () -> {
      if (++seen[0] % TERMS_BETWEEN_CHECKS == 0) {
        Terms cancellable = reader.terms(getField());
        if (cancellable != null) {
          cancellable.iterator();
        }
      }
    };
  }

  /** The templates that hold a token that matches. */
  private BitSet owners(TemplateDictionary dictionary, @Nullable PartOfToken part)
      throws IOException {
    BitSet owners = new BitSet(dictionary.templates.length);
    BytesRef[] tokens = dictionary.tokens();
    if (part != null) {
      for (int i = 0; i < tokens.length; i++) {
        if (part.accepts(tokens[i])) {
          set(owners, dictionary.owners(i));
        }
      }
      return owners;
    }
    TermsEnum inTemplates = inner.getTermsEnum(new TokenTerms(tokens));
    for (BytesRef token = inTemplates.next(); token != null; token = inTemplates.next()) {
      set(owners, dictionary.owners(Arrays.binarySearch(tokens, token)));
    }
    return owners;
  }

  private static void set(BitSet owners, int[] more) {
    for (int owner : more) {
      owners.set(owner);
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
    return other instanceof TokensQuery that && inner.equals(that.inner);
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + inner.hashCode();
  }
}
