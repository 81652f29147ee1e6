package io.millrace.write.fastengine;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.BooleanFieldMapper;

/** {@code boolean}: its two values are made when the mapping is compiled. */
final class BooleanType extends CoveredType {
  BooleanType() {
    super("boolean", BooleanFieldMapper.class, Set.of("null_value"));
  }

  @Override
  Object sample(MappedField field) {
    return true;
  }

  @Override
  @Nullable FieldWriter writer(MappedField field, List<IndexableField> made) {
    FieldType term = null;
    for (IndexableField one : made) {
      if (one.fieldType().indexOptions() != IndexOptions.NONE) {
        term = new FieldType(one.fieldType());
      }
    }
    if (field.indexed() != (term != null)) {
      return null;
    }
    if (term != null) {
      if (field.docValues()) {
        term.setDocValuesType(DocValuesType.SORTED_NUMERIC);
      }
      term.freeze();
    }
    return new BooleanWriter(fields(field, term, true), fields(field, term, false));
  }

  private static List<IndexableField> fields(
      MappedField field, @Nullable FieldType term, boolean value) {
    List<IndexableField> fields = new ArrayList<>();
    String letter = value ? "T" : "F";
    if (term != null) {
      fields.add(new TermField(field.name(), new BytesRef(letter), term, value ? 1 : 0));
    } else if (field.docValues()) {
      fields.add(new SortedNumericDocValuesField(field.name(), value ? 1 : 0));
    }
    if (field.stored()) {
      fields.add(new StoredField(field.name(), letter));
    }
    return fields;
  }
}
