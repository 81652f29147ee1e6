package io.millrace.search.columns;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.lucene.sandbox.document.HalfFloatPoint;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.BooleanFieldMapper;
import org.opensearch.index.mapper.ConstantKeywordFieldMapper;
import org.opensearch.index.mapper.DateFieldMapper;
import org.opensearch.index.mapper.DateFieldMapper.DateFieldType;
import org.opensearch.index.mapper.DerivedFieldType;
import org.opensearch.index.mapper.DocValueFetcher;
import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.RangeFieldMapper;
import org.opensearch.search.fetch.FetchContext;

/**
 * A column of a shard and what reads it.
 *
 * @param reader null where the shard has no such field
 */
record ShardColumn(ColumnValues column, @Nullable ColumnReader reader) {

  static ShardColumn of(ColumnSpec spec, FetchContext context, StoredDocument document)
      throws IOException {
    if (spec.field().equals(ColumnSpec.ID)) {
      document.needStored(ColumnSpec.ID);
      return new ShardColumn(
          new ColumnValues(ValueKind.TEXT, null),
          new StoredReader(document, List.of(ColumnSpec.ID)));
    }
    MappedFieldType type = context.mapperService().fieldType(spec.field());
    if (type == null && context.mapperService().getObjectMapper(spec.field()) != null) {
      throw refused(spec, "an object; name the fields in it");
    }
    if (type == null
        || spec.field().equals(ColumnSpec.INDEX)
        || spec.field().equals(ColumnSpec.SCORE)) {
      return new ShardColumn(
          new ColumnValues(ValueKind.NONE, null), null); // hits have the latter two
    }
    if (type instanceof RangeFieldMapper.RangeFieldType || type instanceof DerivedFieldType) {
      throw refused(
          spec, "of type [" + type.typeName() + "], which no column holds; ask for it by _search");
    }
    if (!type.hasDocValues() && context.mapperService().isMetadataField(type.name())) {
      throw refused(
          spec, "not kept as a value; name a field of the mapping, _id, _index or _score");
    }
    // the doc values of a constant are the name of its index (ConstantIndexFieldData at 3.8.0)
    return type.hasDocValues() && !type.typeName().equals(ConstantKeywordFieldMapper.CONTENT_TYPE)
        ? docValues(type, spec, context)
        : new ShardColumn(
            new ColumnValues(unindexed(type), null), stored(type, spec.field(), context, document));
  }

  private static IllegalArgumentException refused(ColumnSpec spec, String remedy) {
    return new IllegalArgumentException("[columns.field] is [" + spec.field() + "], " + remedy);
  }

  private static ShardColumn docValues(
      MappedFieldType type, ColumnSpec spec, FetchContext context) {
    String field = type.name();
    return switch (type.typeName()) {
      case "long", "integer", "short", "byte" ->
          new ShardColumn(new ColumnValues(ValueKind.LONG, null), new NumberReader(field, v -> v));
      case BooleanFieldMapper.CONTENT_TYPE ->
          new ShardColumn(
              new ColumnValues(ValueKind.BOOLEAN, null), new NumberReader(field, v -> v));
      case "double" ->
          new ShardColumn(
              new ColumnValues(ValueKind.DOUBLE, null),
              new NumberReader(field, NumericUtils::sortableDoubleBits));
      case "float" ->
          new ShardColumn(
              new ColumnValues(ValueKind.DOUBLE, null),
              new NumberReader(field, v -> bits(NumericUtils.sortableIntToFloat((int) v))));
      case "half_float" ->
          new ShardColumn(
              new ColumnValues(ValueKind.DOUBLE, null),
              new NumberReader(
                  field, v -> bits(HalfFloatPoint.sortableShortToHalfFloat((short) v))));
      case DateFieldMapper.CONTENT_TYPE, DateFieldMapper.DATE_NANOS_CONTENT_TYPE ->
          date((DateFieldType) type, spec);
      case KeywordFieldMapper.CONTENT_TYPE ->
          new ShardColumn(new ColumnValues(ValueKind.TEXT, null), new KeywordReader(field));
      default ->
          new ShardColumn(
              new ColumnValues(
                  type.typeName().equals("scaled_float") ? ValueKind.DOUBLE : ValueKind.TEXT, null),
              new FieldDataReader(values(type, spec, context)));
    };
  }

  private static DocValueFetcher values(
      MappedFieldType type, ColumnSpec spec, FetchContext context) {
    try {
      return new DocValueFetcher(
          type.docValueFormat(null, null), context.searchLookup().doc().getForField(type));
    } catch (IllegalArgumentException e) {
      IllegalArgumentException refusal =
          refused(spec, "of type [" + type.typeName() + "], which has no values; leave it out");
      refusal.initCause(e);
      throw refusal;
    }
  }

  private static long bits(float value) {
    return Double.doubleToRawLongBits(value);
  }

  private static ShardColumn date(DateFieldType type, ColumnSpec spec) {
    String pattern = spec.format() == null ? type.dateTimeFormatter().pattern() : spec.format();
    boolean nanos = type.resolution() == DateFieldMapper.Resolution.NANOSECONDS;
    return new ShardColumn(
        new ColumnValues(nanos ? ValueKind.NANOS : ValueKind.MILLIS, pattern),
        new NumberReader(type.name(), v -> v));
  }

  private static ValueKind unindexed(MappedFieldType type) {
    return switch (type.typeName()) {
      case "long", "integer", "short", "byte" -> ValueKind.LONG;
      case "double", "float", "half_float", "scaled_float" -> ValueKind.DOUBLE;
      case BooleanFieldMapper.CONTENT_TYPE -> ValueKind.BOOLEAN;
      default -> ValueKind.TEXT;
    };
  }

  private static ColumnReader stored(
      MappedFieldType type, String asked, FetchContext context, StoredDocument document) {
    if (type.isStored() && unindexed(type) == ValueKind.TEXT) {
      document.needStored(type.name());
      return new StoredReader(document, List.of(type.name()));
    }
    Set<String> paths = context.mapperService().sourcePath(asked);
    List<String> all = paths.isEmpty() ? List.of(type.name()) : List.copyOf(paths);
    all.forEach(document::needPath);
    return new StoredReader(document, all);
  }
}
