package io.millrace.write.logtext;

import io.millrace.write.loganalyzer.LogAnalyzer;
import io.millrace.write.loganalyzer.LogAnalyzerFeature;
import io.millrace.write.loganalyzer.WholeTokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.analysis.AnalyzerScope;
import org.opensearch.index.analysis.NamedAnalyzer;
import org.opensearch.index.mapper.MapperParsingException;
import org.opensearch.index.mapper.ParametrizedFieldMapper;
import org.opensearch.index.mapper.ParseContext;
import org.opensearch.index.mapper.ParsedDocument;
import org.opensearch.index.mapper.TextFieldMapper;
import org.opensearch.index.mapper.TextSearchInfo;

/**
 * The mapper of {@code log_text}: takes the parameters {@code store}, {@code meta}, {@code fields}
 * and {@code copy_to}; everything else that {@code text} has is fixed, and naming it is an error
 * that says so.
 *
 * <p>Public for {@code write.fast-engine} alone, which compiles this mapper like stock's and makes
 * its fields through {@link #field}.
 */
public final class LogTextFieldMapper extends ParametrizedFieldMapper {
  static final String CONTENT_TYPE = "log_text";

  private static final List<String> FIXED =
      List.of(
          "analyzer",
          "search_analyzer",
          "search_quote_analyzer",
          "index",
          "index_options",
          "norms",
          "term_vector",
          "fielddata",
          "similarity",
          "index_phrases",
          "index_prefixes",
          "position_increment_gap");

  private final FieldType fieldType;
  private final LogTextState state;
  private final LogTextState.FieldSketch sketch;

  private LogTextFieldMapper(
      String simpleName,
      FieldType fieldType,
      LogTextFieldType mappedFieldType,
      MultiFields multiFields,
      CopyTo copyTo,
      LogTextState state,
      LogTextState.FieldSketch sketch) {
    super(simpleName, mappedFieldType, multiFields, copyTo);
    this.fieldType = fieldType;
    this.state = state;
    this.sketch = sketch;
  }

  static TypeParser parser(LogTextState state) {
    return new TypeParser((name, context) -> new Builder(name, state, null));
  }

  /**
   * Builds the mapper. A mapper built from another keeps its sketch: a merge of mappings knows no
   * index (ParametrizedFieldMapper#merge at 3.8.0).
   */
  static final class Builder extends ParametrizedFieldMapper.Builder {
    private final Parameter<Boolean> store =
        Parameter.storeParam(m -> ((LogTextFieldMapper) m).fieldType.stored(), false);
    private final Parameter<Map<String, String>> meta = Parameter.metaParam();
    private final List<Parameter<?>> parameters = new ArrayList<>(List.of(store, meta));
    private final LogTextState state;
    private final LogTextState.@Nullable FieldSketch kept;

    Builder(String name, LogTextState state, LogTextState.@Nullable FieldSketch kept) {
      super(name);
      this.state = state;
      this.kept = kept;
      for (String fixed : FIXED) {
        parameters.add(refused(name, fixed));
      }
    }

    private static Parameter<?> refused(String field, String parameter) {
      return new Parameter<@Nullable Object>(
              parameter,
              false,
              () -> null,
              (name, context, value) -> {
                throw new MapperParsingException(
                    "["
                        + parameter
                        + "] is ["
                        + value
                        + "] on field ["
                        + field
                        + "] of type [log_text], which fixes it: remove the parameter, or use the"
                        + " type [text]");
              },
              mapper -> null)
          .acceptsNull()
          .neverSerialize();
    }

    @Override
    protected List<Parameter<?>> getParameters() {
      return parameters;
    }

    @Override
    public LogTextFieldMapper build(BuilderContext context) {
      FieldType type = new FieldType();
      type.setTokenized(true);
      type.setStored(store.getValue());
      type.setOmitNorms(true);
      type.setIndexOptions(IndexOptions.DOCS);
      type.freeze();
      TextSearchInfo info =
          new TextSearchInfo(
              type,
              null,
              analyzer(LogAnalyzerFeature.LOG_SEARCH, WholeTokens.ALL, true),
              analyzer(LogAnalyzerFeature.LOG_PARTS, WholeTokens.NONE, false));
      String fullName = buildFullName(context);
      LogTextFieldType fieldType =
          new LogTextFieldType(fullName, type.stored(), info, meta.getValue(), state);
      fieldType.setIndexAnalyzer(analyzer(LogAnalyzerFeature.LOG_WORDS, WholeTokens.WORDS, false));
      return new LogTextFieldMapper(
          name,
          type,
          fieldType,
          multiFieldsBuilder.build(this, context),
          copyTo.build(),
          state,
          kept != null ? kept : state.field(context.indexSettings(), fullName));
    }

    private static NamedAnalyzer analyzer(String name, WholeTokens whole, boolean graph) {
      return new NamedAnalyzer(
          name,
          AnalyzerScope.INDEX,
          new LogAnalyzer(whole, graph, LogAnalyzer.DEFAULT_MAX_TOKEN_LENGTH),
          TextFieldMapper.Defaults.POSITION_INCREMENT_GAP);
    }
  }

  @Override
  public ParametrizedFieldMapper.Builder getMergeBuilder() {
    return new Builder(simpleName(), state, sketch).init(this);
  }

  @Override
  protected void parseCreateField(ParseContext context) throws IOException {
    String value =
        context.externalValueSet()
            ? context.externalValue().toString()
            : context.parser().textOrNull();
    if (value == null) {
      return;
    }
    boolean first = context.doc().getField(name()) == null;
    context.doc().add(LogTextField.parsed(name(), value, fieldType, first ? sketch : null));
    createFieldNamesField(context);
  }

  /**
   * The Lucene field of one value of a document that a shard indexes.
   *
   * @param first whether it is the document's first value of this field: phrases may not be decided
   *     by one value's template where values follow each other
   */
  public IndexableField field(String value, boolean first) {
    return new LogTextField(name(), value, fieldType, first ? sketch.current() : null);
  }

  /**
   * Lets the values of a parsed document be written by their templates: a shard is about to index
   * it. Without this call they give all their tokens, and no template counts a sight.
   */
  public static void indexed(ParsedDocument parsed) {
    for (ParseContext.Document document : parsed.docs()) {
      List<IndexableField> fields = document.getFields();
      for (int i = 0; i < fields.size(); i++) {
        if (fields.get(i) instanceof LogTextField field) {
          field.indexed();
        }
      }
    }
  }

  @Override
  protected void canDeriveSourceInternal() {
    throw new UnsupportedOperationException(
        "field ["
            + name()
            + "] of type [log_text] reads phrases from the source, which [index.derived_source.enabled]"
            + " does not keep: remove the setting, or use the type [text]");
  }

  /** The mapping's name for the type, where searches say what {@link LogTextFieldType} does. */
  @Override
  public String typeName() {
    return CONTENT_TYPE;
  }

  @Override
  protected String contentType() {
    return CONTENT_TYPE;
  }

  @Override
  public LogTextFieldType fieldType() {
    return (LogTextFieldType) super.fieldType();
  }
}
