package io.millrace.write.logtext;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.ParametrizedFieldMapper;
import org.opensearch.index.mapper.ParseContext;
import org.opensearch.index.mapper.SourceValueFetcher;
import org.opensearch.index.mapper.ValueFetcher;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.search.lookup.SearchLookup;

/**
 * The mapper of {@code log_template}: keeps the id of a message's template ({@link TemplateId}) as
 * a {@code keyword}, so that messages can be counted, sorted and filtered by template. Meant as a
 * sub-field of {@code log_text}; stands by any field of text.
 *
 * <p>Public for {@code write.fast-engine} alone, which makes its fields through {@link #fields}.
 */
public final class LogTemplateFieldMapper extends ParametrizedFieldMapper {
  static final String CONTENT_TYPE = "log_template";

  private static final FieldType INDEXED = indexed();

  static final TypeParser PARSER = new TypeParser((name, context) -> new Builder(name));

  private final TemplateId templates = new TemplateId();

  private LogTemplateFieldMapper(
      String simpleName, LogTemplateFieldType type, MultiFields multiFields, CopyTo copyTo) {
    super(simpleName, type, multiFields, copyTo);
  }

  private static FieldType indexed() {
    FieldType type = new FieldType();
    type.setTokenized(false);
    type.setOmitNorms(true);
    type.setIndexOptions(IndexOptions.DOCS);
    type.freeze();
    return type;
  }

  /** Takes the parameter {@code meta}, and those of every field. */
  static final class Builder extends ParametrizedFieldMapper.Builder {
    private final Parameter<Map<String, String>> meta = Parameter.metaParam();

    Builder(String name) {
      super(name);
    }

    @Override
    protected List<Parameter<?>> getParameters() {
      return List.of(meta);
    }

    @Override
    public LogTemplateFieldMapper build(BuilderContext context) {
      return new LogTemplateFieldMapper(
          name,
          new LogTemplateFieldType(buildFullName(context), meta.getValue()),
          multiFieldsBuilder.build(this, context),
          copyTo.build());
    }
  }

  /** A keyword to searches; a value in a source is a message, and shown as the id it has. */
  static final class LogTemplateFieldType extends KeywordFieldMapper.KeywordFieldType {
    private final TemplateId templates = new TemplateId();

    LogTemplateFieldType(String name, Map<String, String> meta) {
      super(name, true, true, meta);
    }

    @Override
    public ValueFetcher valueFetcher(
        QueryShardContext context, SearchLookup lookup, @Nullable String format) {
      if (format != null) {
        throw new IllegalArgumentException(
            "Field [" + name() + "] of type [log_template] doesn't support formats.");
      }
      return new SourceValueFetcher(name(), context) {
        @Override
        protected @Nullable Object parseSourceValue(Object value) {
          return templates.of(value.toString());
        }
      };
    }
  }

  @Override
  public ParametrizedFieldMapper.Builder getMergeBuilder() {
    return new Builder(simpleName()).init(this);
  }

  @Override
  protected void parseCreateField(ParseContext context) throws IOException {
    String value =
        context.externalValueSet()
            ? context.externalValue().toString()
            : context.parser().textOrNull();
    if (value != null) {
      context.doc().addAll(fields(value));
    }
  }

  /** The Lucene fields of one value: none where the value has no template. */
  public List<IndexableField> fields(String value) {
    String id = templates.of(value);
    if (id == null) {
      return List.of();
    }
    BytesRef term = new BytesRef(id);
    return List.of(new Field(name(), term, INDEXED), new SortedSetDocValuesField(name(), term));
  }

  /** The mapping's name for the type, where searches say {@code keyword}. */
  @Override
  public String typeName() {
    return CONTENT_TYPE;
  }

  @Override
  protected String contentType() {
    return CONTENT_TYPE;
  }
}
