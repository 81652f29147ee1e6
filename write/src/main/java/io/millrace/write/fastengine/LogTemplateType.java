package io.millrace.write.fastengine;

import io.millrace.write.logtext.LogTemplateFieldMapper;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.IndexableField;

/** {@code log_template}, whose mapper makes its fields on both paths. */
final class LogTemplateType extends CoveredType {
  LogTemplateType() {
    super("log_template", LogTemplateFieldMapper.class, Set.of());
  }

  @Override
  Object sample(MappedField field) {
    return ANY_TEXT;
  }

  @Override
  FieldWriter writer(MappedField field, List<IndexableField> made) {
    LogTemplateFieldMapper mapper = (LogTemplateFieldMapper) field.mapper();
    return (json, kind, out) -> {
      out.addAll(mapper.fields(json.asString()));
      return true;
    };
  }
}
