package io.millrace.write.fastengine;

import java.util.List;
import java.util.Set;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.BinaryFieldMapper;

/**
 * {@code binary} that is in {@code _source} only, as segments of traces are: stock does not even
 * look at its value (BinaryFieldMapper#parseCreateField at 3.8.0).
 */
final class BinaryType extends CoveredType {
  BinaryType() {
    super("binary", BinaryFieldMapper.class, Set.of());
  }

  @Override
  boolean covers(MappedField field) {
    return !field.stored() && !field.docValues();
  }

  @Override
  Object sample(MappedField field) {
    return ANY_TEXT;
  }

  @Override
  @Nullable FieldWriter writer(MappedField field, List<IndexableField> made) {
    return made.isEmpty() ? (json, kind, out) -> true : null;
  }
}
