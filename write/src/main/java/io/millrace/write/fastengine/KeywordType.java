package io.millrace.write.fastengine;

import java.util.List;
import java.util.Set;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.KeywordFieldMapper;

/** {@code keyword} without a normalizer and without norms. */
final class KeywordType extends CoveredType {
  KeywordType() {
    super(
        "keyword",
        KeywordFieldMapper.class,
        Set.of(
            "null_value",
            "ignore_above",
            "eager_global_ordinals",
            "index_options",
            "norms",
            "similarity",
            "use_similarity",
            "normalizer",
            "split_queries_on_whitespace"));
  }

  @Override
  boolean covers(MappedField field) {
    return "default".equals(field.text("normalizer"))
        && !field.flag("norms")
        && !"0".equals(field.text("ignore_above"));
  }

  @Override
  Object sample(MappedField field) {
    return ANY_TEXT;
  }

  /** A sample that a date, number or address beside it asks for says nothing of shorter values. */
  @Override
  boolean ignores(MappedField field, Object sample) {
    return sample.toString().length() > ignoreAbove(field);
  }

  private static int ignoreAbove(MappedField field) {
    return Integer.parseInt(String.valueOf(field.text("ignore_above")));
  }

  @Override
  @Nullable FieldWriter writer(MappedField field, List<IndexableField> made) {
    FieldType all = null;
    for (IndexableField one : made) {
      FieldType facet = new FieldType(one.fieldType());
      if (facet.docValuesType() == DocValuesType.SORTED_SET && all != null) {
        all.setDocValuesType(DocValuesType.SORTED_SET);
        all.setDocValuesSkipIndexType(facet.docValuesSkipIndexType());
      } else if (all == null) {
        all = facet;
      } else {
        return null;
      }
    }
    if (all != null) {
      all.freeze();
    }
    return new KeywordWriter(field.name(), all, ignoreAbove(field));
  }
}
