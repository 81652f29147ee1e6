package io.millrace.write.fastengine;

import io.millrace.write.logtext.LogTextFieldMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DocValuesSkipIndexType;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.analysis.NamedAnalyzer;
import org.opensearch.index.mapper.BooleanFieldMapper;
import org.opensearch.index.mapper.DateFieldMapper;
import org.opensearch.index.mapper.FieldMapper;
import org.opensearch.index.mapper.IpFieldMapper;
import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.NumberFieldMapper;
import org.opensearch.index.mapper.TextFieldMapper;

/**
 * Compiles one mapper into its writer, in two steps: is the field covered (and by which sample
 * value can stock be asked about it), and which writer gives what stock gave for the sample.
 *
 * <p>Field types (index options, norms, term vectors, skip index) are never guessed: they are taken
 * from the Lucene fields that stock makes for the sample.
 */
final class FieldCompiler {
  private static final Set<String> COMMON =
      Set.of("type", "meta", "boost", "fields", "index", "doc_values", "store");
  private static final Map<Class<?>, Set<String>> PARAMETERS =
      Map.of(
          KeywordFieldMapper.class,
          Set.of(
              "null_value",
              "ignore_above",
              "eager_global_ordinals",
              "index_options",
              "norms",
              "similarity",
              "use_similarity",
              "normalizer",
              "split_queries_on_whitespace"),
          TextFieldMapper.class,
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
              "index_prefixes"),
          NumberFieldMapper.class,
          Set.of("skip_list", "ignore_malformed", "coerce", "null_value"),
          DateFieldMapper.class,
          Set.of("format", "print_format", "locale", "null_value", "ignore_malformed", "skip_list"),
          BooleanFieldMapper.class,
          Set.of("null_value"),
          IpFieldMapper.class,
          Set.of("null_value", "ignore_malformed"),
          LogTextFieldMapper.class,
          Set.of());
  private static final Map<String, NumberWriter.Width> WIDTHS =
      Map.of(
          "byte", NumberWriter.Width.BYTE,
          "short", NumberWriter.Width.SHORT,
          "integer", NumberWriter.Width.INTEGER,
          "long", NumberWriter.Width.LONG,
          "float", NumberWriter.Width.FLOAT,
          "double", NumberWriter.Width.DOUBLE);
  private static final Set<String> ISO_PATTERNS =
      Set.of(
          "strict_date_optional_time",
          "strict_date_optional_time||epoch_millis",
          "strict_date_time_no_millis||strict_date_optional_time||epoch_millis");

  private final FieldMapper mapper;
  private final FieldParameters parameters;
  private final String type;

  private FieldCompiler(FieldMapper mapper, FieldParameters parameters) {
    this.mapper = mapper;
    this.parameters = parameters;
    this.type = mapper.typeName();
  }

  /** The compiler for a mapper whose type and parameters are covered, else null. */
  static @Nullable FieldCompiler of(FieldMapper mapper) throws IOException {
    Set<String> own = PARAMETERS.get(mapper.getClass());
    if (own == null || !mapper.copyTo().copyToFields().isEmpty()) {
      return null;
    }
    FieldParameters parameters = FieldParameters.of(mapper);
    java.util.HashSet<String> known = new java.util.HashSet<>(COMMON);
    known.addAll(own);
    if (!parameters.hasOnly(known)) {
      return null;
    }
    FieldCompiler compiler = new FieldCompiler(mapper, parameters);
    return compiler.covered() ? compiler : null;
  }

  private boolean covered() {
    return switch (type) {
      case "keyword" ->
          "default".equals(parameters.text("normalizer"))
              && !parameters.flag("norms")
              && !"0".equals(parameters.text("ignore_above"));
      case "text" -> !parameters.flag("index_phrases") && parameters.text("index_prefixes") == null;
      case "date" -> coversDates();
      case "boolean", "ip", "log_text" -> true;
      default -> WIDTHS.containsKey(type);
    };
  }

  private boolean coversDates() {
    String format = parameters.text("format");
    String locale = parameters.text("locale");
    return (locale == null || locale.equals(Locale.ROOT.toString()))
        && (ISO_PATTERNS.contains(format) || "epoch_millis".equals(format));
  }

  /** Path of the field. */
  String name() {
    return mapper.name();
  }

  /** Whether null adds nothing to the document. */
  boolean nullIsNothing() {
    return parameters.text("null_value") == null;
  }

  /** A value that stock takes. */
  Object sample() {
    return switch (type) {
      case "keyword", "text", "log_text" -> "a";
      case "date" ->
          "epoch_millis".equals(parameters.text("format"))
              ? "1577934245678"
              : "2020-01-02T03:04:05.678Z";
      case "boolean" -> true;
      case "ip" -> "127.0.0.1";
      case "float", "double" -> 1.5;
      default -> 1;
    };
  }

  /**
   * Whether a keyword is too short for a sample that a date, number or address beside it asks for:
   * stock makes nothing of it then, which says nothing of shorter values.
   */
  boolean ignores(Object sample) {
    return type.equals("keyword") && sample.toString().length() > ignoreAbove();
  }

  private int ignoreAbove() {
    return Integer.parseInt(String.valueOf(parameters.text("ignore_above")));
  }

  /**
   * The writer that repeats what stock made.
   *
   * @param made stock's Lucene fields of this name for the sample
   * @param fieldNames whether fields without doc values are named in {@code _field_names}
   * @return null if what stock made is not what this class knows
   */
  @Nullable FieldWriter writer(List<IndexableField> made, boolean fieldNames) {
    boolean indexed = parameters.flag("index");
    boolean stored = parameters.flag("store");
    boolean docValues = parameters.flag("doc_values");
    FieldWriter writer =
        switch (type) {
          case "keyword" -> keyword(made);
          case "text" -> text(made);
          case "log_text" -> new LogTextWriter((LogTextFieldMapper) mapper);
          case "date" ->
              new DateWriter(
                  name(),
                  numeric(indexed, docValues, Long.BYTES, made),
                  stored,
                  !"epoch_millis".equals(parameters.text("format")),
                  String.valueOf(parameters.text("format")).endsWith("epoch_millis"));
          case "boolean" -> booleans(made, indexed, stored, docValues);
          case "ip" -> new IpWriter(name(), address(indexed, docValues), stored);
          default -> {
            NumberWriter.Width width = java.util.Objects.requireNonNull(WIDTHS.get(type));
            int bytes =
                width == NumberWriter.Width.LONG || width == NumberWriter.Width.DOUBLE
                    ? Long.BYTES
                    : Integer.BYTES;
            yield new NumberWriter(name(), width, numeric(indexed, docValues, bytes, made), stored);
          }
        };
    boolean named =
        type.equals("text") || type.equals("log_text")
            ? !made.isEmpty() && made.get(0).fieldType().omitNorms()
            : !docValues && (indexed || stored);
    return writer != null && named && fieldNames ? new FieldNamesWriter(writer, name()) : writer;
  }

  private @Nullable FieldWriter keyword(List<IndexableField> made) {
    FieldType all = null;
    for (IndexableField field : made) {
      FieldType facet = new FieldType(field.fieldType());
      if (facet.docValuesType() == DocValuesType.SORTED_SET && all != null) {
        all.setDocValuesType(DocValuesType.SORTED_SET);
        all.setDocValuesSkipIndexType(facet.docValuesSkipIndexType());
      } else if (all == null) {
        all = facet;
      } else {
        return null;
      }
    }
    return new KeywordWriter(name(), frozen(all), ignoreAbove());
  }

  private @Nullable FieldWriter text(List<IndexableField> made) {
    if (made.isEmpty() && !parameters.flag("index") && !parameters.flag("store")) {
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
    return new TextWriter(name(), lucene, plain && isStandard(mapper.fieldType().indexAnalyzer()));
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

  private @Nullable FieldWriter booleans(
      List<IndexableField> made, boolean indexed, boolean stored, boolean docValues) {
    FieldType term = null;
    for (IndexableField field : made) {
      if (field.fieldType().indexOptions() != IndexOptions.NONE) {
        term = new FieldType(field.fieldType());
      }
    }
    if (indexed != (term != null)) {
      return null;
    }
    if (term != null && docValues) {
      term.setDocValuesType(DocValuesType.SORTED_NUMERIC);
    }
    FieldType type = frozen(term);
    List<List<IndexableField>> fields = new ArrayList<>();
    for (boolean value : new boolean[] {true, false}) {
      List<IndexableField> one = new ArrayList<>();
      String letter = value ? "T" : "F";
      if (type != null) {
        one.add(new TermField(name(), new BytesRef(letter), type, value ? 1 : 0));
      } else if (docValues) {
        one.add(new SortedNumericDocValuesField(name(), value ? 1 : 0));
      }
      if (stored) {
        one.add(new StoredField(name(), letter));
      }
      fields.add(one);
    }
    return new BooleanWriter(fields.get(0), fields.get(1));
  }

  private static @Nullable FieldType address(boolean indexed, boolean docValues) {
    FieldType type = new FieldType();
    if (indexed) {
      type.setDimensions(1, InetAddressPoint.BYTES);
    }
    if (docValues) {
      type.setDocValuesType(DocValuesType.SORTED_SET);
    }
    return indexed || docValues ? frozen(type) : null;
  }

  private static @Nullable FieldType numeric(
      boolean indexed, boolean docValues, int bytes, List<IndexableField> made) {
    FieldType type = new FieldType();
    if (indexed) {
      type.setDimensions(1, bytes);
    }
    if (docValues) {
      type.setDocValuesType(DocValuesType.SORTED_NUMERIC);
      for (IndexableField field : made) {
        if (field.fieldType().docValuesSkipIndexType() != DocValuesSkipIndexType.NONE) {
          type.setDocValuesSkipIndexType(field.fieldType().docValuesSkipIndexType());
        }
      }
    }
    return indexed || docValues ? frozen(type) : null;
  }

  private static @Nullable FieldType frozen(@Nullable FieldType type) {
    if (type != null) {
      type.freeze();
    }
    return type;
  }
}
