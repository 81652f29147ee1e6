package io.millrace.write.fastengine;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.sandbox.document.HalfFloatPoint;
import org.opensearch.index.mapper.NumberFieldMapper;

/**
 * {@code byte}, {@code short}, {@code integer}, {@code long}, {@code half_float}, {@code float} or
 * {@code double}.
 */
final class NumberType extends CoveredType {
  private final NumberWriter.Width width;

  NumberType(NumberWriter.Width width) {
    super(
        width.name().toLowerCase(Locale.ROOT),
        NumberFieldMapper.class,
        Set.of("skip_list", "ignore_malformed", "coerce", "null_value"));
    this.width = width;
  }

  @Override
  Object sample(MappedField field) {
    return switch (width) {
      case HALF_FLOAT, FLOAT, DOUBLE -> 1.5;
      case BYTE, SHORT, INTEGER, LONG -> 1;
    };
  }

  @Override
  FieldWriter writer(MappedField field, List<IndexableField> made) {
    int bytes =
        switch (width) {
          case LONG, DOUBLE -> Long.BYTES;
          case BYTE, SHORT, INTEGER, FLOAT -> Integer.BYTES;
          case HALF_FLOAT -> HalfFloatPoint.BYTES;
        };
    return new NumberWriter(
        field.name(), width, NumericField.type(field, bytes, made), field.stored());
  }
}
