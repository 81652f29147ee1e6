package io.millrace.write.fastengine;

import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.analysis.NamedAnalyzer;
import org.opensearch.index.mapper.TextFieldMapper;

/**
 * {@code text} and {@code match_only_text} with any analyzer, without the extra fields for phrases
 * and prefixes.
 */
final class TextType extends CoveredType {
  TextType(String name, Class<? extends TextFieldMapper> mapper) {
    super(
        name,
        mapper,
        Set.of(
            "index_options",
            "norms",
            "term_vector",
            "analyzer",
            "search_analyzer",
            "search_quote_analyzer",
            "similarity",
            "position_increment_gap",
            "fielddata",
            "fielddata_frequency_filter",
            "eager_global_ordinals",
            "index_phrases",
            "index_prefixes"));
  }

  @Override
  boolean covers(MappedField field) {
    return !field.flag("index_phrases") && field.text("index_prefixes") == null;
  }

  @Override
  Object sample(MappedField field) {
    return ANY_TEXT;
  }

  @Override
  @Nullable FieldWriter writer(MappedField field, List<IndexableField> made) {
    if (made.isEmpty() && !field.indexed() && !field.stored()) {
      return (json, kind, out) -> true;
    }
    if (made.size() != 1 || !(made.get(0).fieldType() instanceof FieldType lucene)) {
      return null;
    }
    boolean plain =
        !lucene.stored()
            && !lucene.storeTermVectors()
            && lucene.tokenized()
            && lucene.indexOptions() != IndexOptions.NONE
            && lucene.indexOptions() != IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS;
    return new TextWriter(
        field.name(), lucene, plain && isStandard(field.mapper().fieldType().indexAnalyzer()));
  }

  private static boolean isStandard(@Nullable Analyzer analyzer) {
    Analyzer inner = analyzer;
    while (inner instanceof NamedAnalyzer named) {
      inner = named.analyzer();
    }
    return inner != null
        && inner.getClass() == StandardAnalyzer.class
        && ((StandardAnalyzer) inner).getStopwordSet().isEmpty()
        && ((StandardAnalyzer) inner).getMaxTokenLength()
            == StandardAnalyzer.DEFAULT_MAX_TOKEN_LENGTH;
  }

  /** Norms name the field as doc values do. */
  @Override
  boolean named(MappedField field, List<IndexableField> made) {
    return !made.isEmpty() && made.get(0).fieldType().omitNorms();
  }
}
