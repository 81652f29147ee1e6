package io.millrace.write.fastengine;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.index.IndexableField;
import org.opensearch.index.mapper.DateFieldMapper;

/**
 * {@code date} or {@code date_nanos} in ISO-8601, in milliseconds since 1970, or both; in no
 * language.
 */
final class DateType extends CoveredType {
  private static final String MILLIS = "epoch_millis";
  private static final Set<String> ISO_PATTERNS =
      Set.of(
          "strict_date_optional_time",
          "strict_date_optional_time||epoch_millis",
          "strict_date_time_no_millis||strict_date_optional_time||epoch_millis");

  private final DateWriter.Unit unit;

  DateType(DateWriter.Unit unit) {
    super(
        unit == DateWriter.Unit.NANOS
            ? DateFieldMapper.DATE_NANOS_CONTENT_TYPE
            : DateFieldMapper.CONTENT_TYPE,
        DateFieldMapper.class,
        Set.of("format", "print_format", "locale", "null_value", "ignore_malformed", "skip_list"));
    this.unit = unit;
  }

  @Override
  boolean covers(MappedField field) {
    String format = field.text("format");
    String locale = field.text("locale");
    return (locale == null || locale.equals(Locale.ROOT.toString()))
        && (ISO_PATTERNS.contains(format) || MILLIS.equals(format));
  }

  @Override
  Object sample(MappedField field) {
    return MILLIS.equals(field.text("format")) ? "1577934245678" : "2020-01-02T03:04:05.678Z";
  }

  @Override
  FieldWriter writer(MappedField field, List<IndexableField> made) {
    String format = String.valueOf(field.text("format"));
    return new DateWriter(
        field.name(),
        unit,
        NumericField.type(field, Long.BYTES, made),
        field.stored(),
        !MILLIS.equals(format),
        format.endsWith(MILLIS));
  }
}
