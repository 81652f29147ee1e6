package io.millrace.write.fastengine;

import java.util.List;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Keywords without a normalizer; numbers and booleans count as they are written.
 *
 * <p>Stock: KeywordFieldMapper#parseCreateField at 3.8.0. A value above Lucene's limit of 32,766
 * bytes is left to stock, which refuses it, or to whoever trims it on stock's fields.
 */
final class KeywordWriter implements FieldWriter {
  private final String name;
  private final @Nullable FieldType type;
  private final int ignoreAbove;

  /**
   * @param type null if the field is neither indexed, stored nor in doc values
   * @param ignoreAbove longest value in UTF-16 units
   */
  KeywordWriter(String name, @Nullable FieldType type, int ignoreAbove) {
    this.name = name;
    this.type = type;
    this.ignoreAbove = ignoreAbove;
  }

  @Override
  public boolean write(JsonBytes json, Kind kind, List<IndexableField> out) {
    if (type == null || json.characters > ignoreAbove) {
      return true;
    }
    if (json.length > IndexWriter.MAX_TERM_LENGTH) {
      return false;
    }
    out.add(new TermField(name, new BytesRef(json.text, json.offset, json.length), type));
    return true;
  }
}
