package io.millrace.storage.ordinalpostings;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DocValuesSkipIndexType;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.IndexableFieldType;
import org.apache.lucene.util.BytesRef;

/**
 * Takes the terms of some fields out of a parsed document and leaves their doc values.
 *
 * <p>Why: {@link OrdinalPostingsFormat} never looks at the terms that the indexer gathers for its
 * fields, and gathering them (hashing, sorting and buffering one new term a document) is most of
 * what such a field costs. The schema that Lucene keeps of the field must not change, so each term
 * becomes one and the same empty one.
 *
 * <p>Only a term whose doc value stands with it is taken out: a field that is both, or a pair of
 * fields of one name and one value, as KeywordFieldMapper#parseCreateField (3.8.0) makes them.
 * Anything else (stored, with norms or frequencies, too long for Lucene) is left alone: that costs
 * time, never an answer. To be used only where the codec takes the same fields.
 */
final class TermOmission {
  private final Predicate<String> fields;
  private final Predicate<String> gathered;
  private final Map<String, Field> placeholders = new ConcurrentHashMap<>();
  private final BytesRef placeholder = IdValue.placeholder();

  TermOmission(Predicate<String> fields) {
    this(fields, field -> false);
  }

  /**
   * @param gathered fields whose doc values are taken out, too, and come as {@link IdValue}s
   */
  TermOmission(Predicate<String> fields, Predicate<String> gathered) {
    this.fields = fields;
    this.gathered = gathered;
  }

  /** Changes the fields of one document; gives how many terms it took out. */
  int apply(List<IndexableField> document) {
    int omitted = 0;
    for (int i = 0; i < document.size(); i++) {
      IndexableField field = document.get(i);
      if (!isTerm(field.fieldType()) || !fields.test(field.name())) {
        continue;
      }
      BytesRef value = field.binaryValue();
      if (value == null || value.length > IndexWriter.MAX_TERM_LENGTH) {
        continue;
      }
      boolean both = field.fieldType().docValuesType() == DocValuesType.SORTED_SET;
      if (!both
          && (i + 1 == document.size() || !isValue(document.get(i + 1), field.name(), value))) {
        continue;
      }
      omitted++;
      if (gathered.test(field.name())) {
        document.set(i, new IdValue(field.name(), value, placeholder));
        if (!both) {
          document.remove(i + 1);
        }
        continue;
      }
      document.set(i, placeholder(field.name()));
      if (both) {
        document.add(++i, new SortedSetDocValuesField(field.name(), value));
      }
    }
    return omitted;
  }

  private static boolean isTerm(IndexableFieldType type) {
    return type.indexOptions() == IndexOptions.DOCS
        && !type.tokenized()
        && type.omitNorms()
        && !type.stored()
        && !type.storeTermVectors()
        && type.docValuesSkipIndexType() == DocValuesSkipIndexType.NONE
        && (type.docValuesType() == DocValuesType.NONE
            || type.docValuesType() == DocValuesType.SORTED_SET);
  }

  private static boolean isValue(IndexableField next, String name, BytesRef value) {
    return next.fieldType().docValuesType() == DocValuesType.SORTED_SET
        && next.fieldType().indexOptions() == IndexOptions.NONE
        && next.name().equals(name)
        && value.equals(next.binaryValue());
  }

  /** One field object for all documents; Lucene only reads it. */
  private Field placeholder(String name) {
    Field known = placeholders.get(name);
    return known != null
        ? known
        : placeholders.computeIfAbsent(
            name, field -> new StringField(field, new BytesRef(), Store.NO));
  }
}
