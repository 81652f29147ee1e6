package io.millrace.write.logtext;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopTermsRewrite;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lucene.search.MultiPhrasePrefixQuery;
import org.opensearch.common.unit.Fuzziness;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.MatchOnlyTextFieldMapper;
import org.opensearch.index.mapper.TextFieldMapper;
import org.opensearch.index.mapper.TextSearchInfo;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.SourceFieldMatchQuery;

/**
 * Queries on a {@code log_text} field. Each is the query that a {@code match_only_text} field
 * builds (MatchOnlyTextFieldMapper.MatchOnlyTextFieldType#phraseQuery at 3.8.0), with {@link
 * TokenQuery} in the place of term queries; phrases that templates do not decide are looked up in
 * the source by stock's {@link SourceFieldMatchQuery}.
 */
final class LogTextFieldType extends TextFieldMapper.TextFieldType {
  private final LogTextState state;
  private final MappedFieldType kin;

  LogTextFieldType(
      String name, boolean stored, TextSearchInfo info, Map<String, String> meta, LogTextState s) {
    super(name, true, stored, info, meta);
    this.state = s;
    this.kin = new MatchOnlyTextFieldMapper.MatchOnlyTextFieldType(name, true, stored, info, meta);
  }

  @Override
  public String typeName() {
    return LogTextFieldMapper.CONTENT_TYPE;
  }

  /** Field capabilities say {@code match_only_text}, so that clients know what to do with it. */
  @Override
  public String familyTypeName() {
    return MatchOnlyTextFieldMapper.CONTENT_TYPE;
  }

  /**
   * MatchQuery.MatchQueryBuilder#checkForPositions lets phrases through without positions for this
   * type only.
   */
  @Override
  public MappedFieldType unwrap() {
    return kin;
  }

  private Query overTemplates(Query query) {
    if (!(query instanceof MultiTermQuery multi)) {
      return query;
    }
    return multi.getRewriteMethod() instanceof TopTermsRewrite<?> best
        ? new TopTokensQuery(multi, best.getSize(), state.cache)
        : TokenQuery.of(multi, state.cache);
  }

  private Query token(Term term) {
    return TokenQuery.of(term, state.cache);
  }

  @Override
  public Query termQuery(Object value, @Nullable QueryShardContext context) {
    return new ConstantScoreQuery(token(new Term(name(), indexedValueForSearch(value))));
  }

  @Override
  public Query termQueryCaseInsensitive(Object value, @Nullable QueryShardContext context) {
    return new ConstantScoreQuery(overTemplates(super.termQueryCaseInsensitive(value, context)));
  }

  @Override
  public Query termsQuery(List<?> values, @Nullable QueryShardContext context) {
    return overTemplates(super.termsQuery(values, context));
  }

  @Override
  public Query fuzzyQuery(
      Object value,
      Fuzziness fuzziness,
      int prefixLength,
      int maxExpansions,
      boolean transpositions,
      MultiTermQuery.@Nullable RewriteMethod method,
      QueryShardContext context) {
    return overTemplates(
        super.fuzzyQuery(
            value, fuzziness, prefixLength, maxExpansions, transpositions, method, context));
  }

  @Override
  public Query prefixQuery(
      String value,
      MultiTermQuery.@Nullable RewriteMethod method,
      boolean caseInsensitive,
      QueryShardContext context) {
    return overTemplates(super.prefixQuery(value, method, caseInsensitive, context));
  }

  @Override
  public Query wildcardQuery(
      String value,
      MultiTermQuery.@Nullable RewriteMethod method,
      boolean caseInsensitive,
      boolean normalizeIfAnalyzed,
      QueryShardContext context) {
    return overTemplates(
        super.wildcardQuery(value, method, caseInsensitive, normalizeIfAnalyzed, context));
  }

  @Override
  public Query regexpQuery(
      String value,
      int syntaxFlags,
      int matchFlags,
      int maxDeterminizedStates,
      MultiTermQuery.@Nullable RewriteMethod method,
      QueryShardContext context) {
    return overTemplates(
        super.regexpQuery(value, syntaxFlags, matchFlags, maxDeterminizedStates, method, context));
  }

  @Override
  public Query rangeQuery(
      Object lowerTerm,
      Object upperTerm,
      boolean includeLower,
      boolean includeUpper,
      QueryShardContext context) {
    return overTemplates(
        super.rangeQuery(lowerTerm, upperTerm, includeLower, includeUpper, context));
  }

  @Override
  public Query phraseQuery(
      TokenStream stream, int slop, boolean enablePositionIncrements, QueryShardContext context)
      throws IOException {
    PhraseQuery phrase = (PhraseQuery) super.phraseQuery(stream, slop, enablePositionIncrements);
    Term[][] terms =
        Arrays.stream(phrase.getTerms()).map(t -> new Term[] {t}).toArray(Term[][]::new);
    return phrase(phrase, terms, phrase.getPositions(), slop, -1, context);
  }

  @Override
  public Query multiPhraseQuery(
      TokenStream stream, int slop, boolean enablePositionIncrements, QueryShardContext context)
      throws IOException {
    MultiPhraseQuery phrase =
        (MultiPhraseQuery) super.multiPhraseQuery(stream, slop, enablePositionIncrements);
    return phrase(phrase, phrase.getTermArrays(), phrase.getPositions(), slop, -1, context);
  }

  @Override
  public Query phrasePrefixQuery(
      TokenStream stream, int slop, int maxExpansions, QueryShardContext context)
      throws IOException {
    MultiPhrasePrefixQuery phrase =
        (MultiPhrasePrefixQuery) super.phrasePrefixQuery(stream, slop, maxExpansions);
    return phrase(phrase, phrase.getTerms(), phrase.getPositions(), slop, maxExpansions, context);
  }

  /**
   * Documents that hold all the terms, of which the phrase is known to hold by their template, or
   * seen to hold in their source; by the source alone where templates cannot say or may not.
   *
   * @param maxExpansions of the last term as a prefix; -1 when it is none
   */
  private Query phrase(
      Query phrase,
      Term[][] terms,
      int[] positions,
      int slop,
      int maxExpansions,
      QueryShardContext context) {
    boolean prefix = maxExpansions >= 0;
    BooleanQuery.Builder candidates = new BooleanQuery.Builder();
    for (int i = 0; i < terms.length; i++) {
      candidates.add(anyOf(terms[i], prefix && i == terms.length - 1), Occur.FILTER);
    }
    if (slop > 0 || !SourcePath.isReadable(name(), context)) {
      return new SourceFieldMatchQuery(candidates.build(), phrase, this, context);
    }
    PhraseShape shape = new PhraseShape(terms, positions, prefix);
    int maxTokens = prefix ? maxExpansions : Integer.MAX_VALUE;
    candidates.add(new TemplateQuery(name(), shape, false, maxTokens, state.cache), Occur.FILTER);
    BooleanQuery.Builder decided = new BooleanQuery.Builder();
    decided.add(new TemplateQuery(name(), shape, true, maxTokens, state.cache), Occur.FILTER);
    if (prefix) {
      // stock stops after maxExpansions words of the document, and other values count with them
      decided.add(new TermQuery(new Term(name(), Reserved.free())), Occur.MUST_NOT);
    }
    return new ConstantScoreQuery(
        new BooleanQuery.Builder()
            .add(decided.build(), Occur.SHOULD)
            .add(new SourceFieldMatchQuery(candidates.build(), phrase, this, context), Occur.SHOULD)
            .build());
  }

  private Query anyOf(Term[] terms, boolean prefix) {
    List<Query> any = new ArrayList<>();
    for (Term term : terms) {
      any.add(prefix ? TokenQuery.of(new PrefixQuery(term), state.cache) : token(term));
    }
    if (any.size() == 1) {
      return any.get(0);
    }
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    any.forEach(query -> builder.add(query, Occur.SHOULD));
    return builder.build();
  }
}
