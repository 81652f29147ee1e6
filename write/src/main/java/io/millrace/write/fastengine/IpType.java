package io.millrace.write.fastengine;

import java.util.List;
import java.util.Set;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.IpFieldMapper;

/** {@code ip}. */
final class IpType extends CoveredType {
  IpType() {
    super("ip", IpFieldMapper.class, Set.of("null_value", "ignore_malformed"));
  }

  @Override
  Object sample(MappedField field) {
    return "127.0.0.1";
  }

  @Override
  FieldWriter writer(MappedField field, List<IndexableField> made) {
    return new IpWriter(field.name(), type(field), field.stored());
  }

  private static @Nullable FieldType type(MappedField field) {
    if (!field.indexed() && !field.docValues()) {
      return null;
    }
    FieldType type = new FieldType();
    if (field.indexed()) {
      type.setDimensions(1, InetAddressPoint.BYTES);
    }
    if (field.docValues()) {
      type.setDocValuesType(DocValuesType.SORTED_SET);
    }
    type.freeze();
    return type;
  }
}
