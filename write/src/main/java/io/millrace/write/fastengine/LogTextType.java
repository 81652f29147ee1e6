package io.millrace.write.fastengine;

import io.millrace.write.logtext.LogTextFieldMapper;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.IndexableField;

/** {@code log_text}, whose mapper makes its fields on both paths. */
final class LogTextType extends CoveredType {
  LogTextType() {
    super("log_text", LogTextFieldMapper.class, Set.of());
  }

  @Override
  Object sample(MappedField field) {
    return ANY_TEXT;
  }

  @Override
  FieldWriter writer(MappedField field, List<IndexableField> made) {
    return new LogTextWriter((LogTextFieldMapper) field.mapper());
  }

  @Override
  boolean named(MappedField field, List<IndexableField> made) {
    return !made.isEmpty() && made.get(0).fieldType().omitNorms();
  }
}
