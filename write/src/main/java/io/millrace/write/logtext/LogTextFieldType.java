package io.millrace.write.logtext;

import io.millrace.write.logtext.TemplateQuery.Wanted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.MultiTermQuery.RewriteMethod;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lucene.search.MultiPhrasePrefixQuery;
import org.opensearch.common.unit.Fuzziness;
import org.opensearch.index.analysis.NamedAnalyzer;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.MatchOnlyTextFieldMapper;
import org.opensearch.index.mapper.TextFieldMapper;
import org.opensearch.index.mapper.TextSearchInfo;
import org.opensearch.index.query.IntervalBuilder;
import org.opensearch.index.query.IntervalMode;
import org.opensearch.index.query.QueryShardContext;

/**
 * Queries on a {@code log_text} field. Each is the query that a {@code match_only_text} field
 * builds (MatchOnlyTextFieldMapper.MatchOnlyTextFieldType#phraseQuery at 3.8.0), of the same
 * classes, but finds its documents by {@link TokenQuery}; phrases that templates do not decide are
 * looked up in the source ({@link SourcePhraseQuery}).
 */
final class LogTextFieldType extends TextFieldMapper.TextFieldType {
  private final LogTextState state;
  private final MappedFieldType kin;
  private final TokenRewrite rewrite;

  LogTextFieldType(
      String name, boolean stored, TextSearchInfo info, Map<String, String> meta, LogTextState s) {
    super(name, true, stored, info, meta);
    this.state = s;
    this.rewrite = new TokenRewrite(s.cache);
    this.kin = new MatchOnlyTextFieldMapper.MatchOnlyTextFieldType(name, true, stored, info, meta);
  }

  /**
   * To searches the field is a {@code match_only_text} field: field capabilities say so, and a
   * highlighter takes it in for a pattern of fields (HighlightPhase#getProcessor at 3.8.0).
   * Mappings say {@code log_text}, by {@link LogTextFieldMapper#contentType}.
   */
  @Override
  public String typeName() {
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

  /**
   * How a query of many terms finds its documents: those with constant scores by {@link
   * TokenQuery}, the others as stock does, over what {@link TokenView} shows.
   */
  private @Nullable RewriteMethod rewrite(
      @Nullable RewriteMethod method, QueryShardContext context) {
    if (TokenRewrite.replaces(method)) {
      return rewrite;
    }
    requireView(context);
    return method;
  }

  /** An engine of another plugin (a follower of another cluster) has no view. */
  private void requireView(QueryShardContext context) {
    IndexSearcher searcher = context.searcher();
    try {
      if (searcher != null && LogTextReaders.showTemplates(searcher.getIndexReader(), name())) {
        throw new IllegalArgumentException(
            "a query that scores by the frequency of terms needs the tokens of field ["
                + name()
                + "] of type [log_text], which another plugin's engine of index ["
                + context.index().getName()
                + "] does not show: give the query [\"rewrite\": \"constant_score\"] (in a [match]"
                + " query [\"fuzzy_rewrite\"])");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Query token(Term term) {
    return new TokenTermQuery(term, state.cache);
  }

  @Override
  public Query termQuery(Object value, @Nullable QueryShardContext context) {
    return new ConstantScoreQuery(token(new Term(name(), indexedValueForSearch(value))));
  }

  @Override
  public Query termQueryCaseInsensitive(Object value, @Nullable QueryShardContext context) {
    AutomatonQuery query = (AutomatonQuery) super.termQueryCaseInsensitive(value, context);
    return new ConstantScoreQuery(
        new AutomatonQuery(
            new Term(name(), indexedValueForSearch(value)),
            query.getAutomaton(),
            query.isAutomatonBinary(),
            rewrite));
  }

  @Override
  public Query termsQuery(List<?> values, @Nullable QueryShardContext context) {
    failIfNotIndexed();
    return new TermInSetQuery(
        rewrite, name(), values.stream().map(this::indexedValueForSearch).toList());
  }

  @Override
  public Query fuzzyQuery(
      Object value,
      Fuzziness fuzziness,
      int prefixLength,
      int maxExpansions,
      boolean transpositions,
      @Nullable RewriteMethod method,
      QueryShardContext context) {
    RewriteMethod how = method;
    if (how == null) {
      requireView(context); // stock's choice for fuzzy queries is the best terms, with scores
    } else {
      how = rewrite(how, context);
    }
    return super.fuzzyQuery(
        value, fuzziness, prefixLength, maxExpansions, transpositions, how, context);
  }

  @Override
  public Query prefixQuery(
      String value,
      @Nullable RewriteMethod method,
      boolean caseInsensitive,
      QueryShardContext context) {
    return super.prefixQuery(value, rewrite(method, context), caseInsensitive, context);
  }

  @Override
  public Query wildcardQuery(
      String value,
      @Nullable RewriteMethod method,
      boolean caseInsensitive,
      boolean normalizeIfAnalyzed,
      QueryShardContext context) {
    return super.wildcardQuery(
        value, rewrite(method, context), caseInsensitive, normalizeIfAnalyzed, context);
  }

  @Override
  public Query regexpQuery(
      String value,
      int syntaxFlags,
      int matchFlags,
      int maxDeterminizedStates,
      @Nullable RewriteMethod method,
      QueryShardContext context) {
    return super.regexpQuery(
        value, syntaxFlags, matchFlags, maxDeterminizedStates, rewrite(method, context), context);
  }

  @Override
  public Query rangeQuery(
      Object lowerTerm,
      Object upperTerm,
      boolean includeLower,
      boolean includeUpper,
      QueryShardContext context) {
    TermRangeQuery range =
        (TermRangeQuery)
            super.rangeQuery(lowerTerm, upperTerm, includeLower, includeUpper, context);
    return new TermRangeQuery(
        name(),
        range.getLowerTerm(),
        range.getUpperTerm(),
        range.includesLower(),
        range.includesUpper(),
        rewrite);
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
   * The rules {@code match} and {@code prefix} of {@code intervals}, as for {@code text}
   * (TextFieldMapper.TextFieldType#intervals at 3.8.0); positions come with the reader ({@link
   * LogTextReaders}). The other rules ask the field's search info, which says no: it decides how
   * {@code match} takes a word with parts as well.
   */
  @Override
  public IntervalsSource intervals(
      String text, int maxGaps, IntervalMode mode, @Nullable NamedAnalyzer analyzer, boolean prefix)
      throws IOException {
    NamedAnalyzer how = analyzer == null ? getTextSearchInfo().getSearchAnalyzer() : analyzer;
    return prefix
        ? Intervals.prefix(how.normalize(name(), text))
        : new IntervalBuilder(name(), how).analyzeText(text, maxGaps, mode);
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
    Query holdAll = all(terms, i -> anyOf(terms[i], prefix && i == terms.length - 1));
    if (slop > 0) {
      return phrase(phrase, holdAll, null, holdAll, maxExpansions, null, context);
    }
    PhraseShape shape = new PhraseShape(terms, positions, prefix);
    int maxTokens = prefix ? maxExpansions : Integer.MAX_VALUE;
    PhraseMatcher matcher = PhraseMatcher.of(shape, maxTokens);
    if (!SourcePath.isReadable(name(), context)) {
      return phrase(phrase, holdAll, null, holdAll, maxExpansions, matcher, context);
    }
    PhraseTemplates templates = new PhraseTemplates(shape, maxTokens);
    BooleanQuery.Builder decided = new BooleanQuery.Builder();
    decided.add(byTemplate(templates, Wanted.DECIDED), Occur.FILTER);
    // all tokens of a value without template have postings of their own, and of other values those
    // without digits have none
    Query free = all(terms, i -> own(terms[i]));
    if (prefix) {
      // stock stops after maxExpansions words of the document, and other values count with them
      decided.add(byTemplate(templates, Wanted.FREE), Occur.MUST_NOT);
      free = holdAll;
    }
    BooleanQuery.Builder inTemplate = new BooleanQuery.Builder();
    inTemplate.add(byTemplate(templates, Wanted.MAYBE), Occur.FILTER);
    for (int i = 0; i < terms.length; i++) {
      if (shape.isVariable(i)) {
        inTemplate.add(anyOf(terms[i], false), Occur.FILTER); // in a hole, or in the template
      }
    }
    Query candidates =
        anyOf(
            List.of(
                inTemplate.build(),
                shape.isWord() ? free : both(byTemplate(templates, Wanted.FREE), free)));
    return phrase(phrase, holdAll, decided.build(), candidates, maxExpansions, matcher, context);
  }

  private Query phrase(
      Query phrase,
      Query shown,
      @Nullable Query decided,
      Query candidates,
      int maxExpansions,
      @Nullable PhraseMatcher matcher,
      QueryShardContext context) {
    FieldValues.Source source = FieldValues.Source.of(this, context);
    PhraseLook look = new PhraseLook(candidates, phrase, maxExpansions, matcher, this, source);
    PhraseDocuments documents = new PhraseDocuments(shown, decided, look);
    return new ConstantScoreQuery(new SourcePhraseQuery(shown, phrase, documents, this, context));
  }

  private Query byTemplate(PhraseTemplates templates, Wanted wanted) {
    return new TemplateQuery(name(), templates, wanted, state.cache);
  }

  private static Query both(Query one, Query other) {
    return new BooleanQuery.Builder().add(one, Occur.FILTER).add(other, Occur.FILTER).build();
  }

  private static Query all(Term[][] terms, IntFunction<Query> place) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < terms.length; i++) {
      builder.add(place.apply(i), Occur.FILTER);
    }
    return builder.build();
  }

  private Query anyOf(Term[] terms, boolean prefix) {
    List<Query> any = new ArrayList<>();
    for (Term term : terms) {
      any.add(prefix ? new PrefixQuery(term, rewrite) : token(term));
    }
    return anyOf(any);
  }

  /** What holds one of the terms outside of templates. */
  private Query own(Term[] terms) {
    List<Query> any = new ArrayList<>();
    for (Term term : terms) {
      any.add(TokenQuery.outsideOfTemplates(term, state.cache));
    }
    return anyOf(any);
  }

  private static Query anyOf(List<Query> any) {
    if (any.size() == 1) {
      return any.get(0);
    }
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    any.forEach(query -> builder.add(query, Occur.SHOULD));
    return builder.build();
  }
}
