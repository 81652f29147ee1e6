package io.millrace.write.fastengine;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.FieldMapper;
import org.opensearch.index.mapper.MatchOnlyTextFieldMapper;
import org.opensearch.index.mapper.TextFieldMapper;

/** The field types of the fast path; another one is a class and a line here. */
final class CoveredTypes {
  private static final Map<String, CoveredType> BY_NAME =
      Stream.of(
              new BinaryType(),
              new BooleanType(),
              new DateType(DateWriter.Unit.MILLIS),
              new DateType(DateWriter.Unit.NANOS),
              new IpType(),
              new KeywordType(),
              new LogTemplateType(),
              new LogTextType(),
              new NumberType(NumberWriter.Width.BYTE),
              new NumberType(NumberWriter.Width.SHORT),
              new NumberType(NumberWriter.Width.INTEGER),
              new NumberType(NumberWriter.Width.LONG),
              new NumberType(NumberWriter.Width.HALF_FLOAT),
              new NumberType(NumberWriter.Width.FLOAT),
              new NumberType(NumberWriter.Width.DOUBLE),
              new TextType(TextFieldMapper.CONTENT_TYPE, TextFieldMapper.class),
              new TextType(MatchOnlyTextFieldMapper.CONTENT_TYPE, MatchOnlyTextFieldMapper.class))
          .collect(Collectors.toUnmodifiableMap(CoveredType::name, Function.identity()));

  private CoveredTypes() {}

  /** The type of a mapper, null if it is none of these. */
  static @Nullable CoveredType of(FieldMapper mapper) {
    CoveredType type = BY_NAME.get(mapper.typeName());
    return type != null && type.isTypeOf(mapper) ? type : null;
  }
}
