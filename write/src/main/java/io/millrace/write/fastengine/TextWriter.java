package io.millrace.write.fastengine;

import java.util.List;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexableField;

/**
 * Text: ASCII with the standard analyzer goes to {@link AsciiTextField}, everything else is
 * analyzed by the field's own analyzer in the index writer, as stock does (TextFieldMapper,
 * parseCreateField at 3.8.0).
 */
final class TextWriter implements FieldWriter {
  private final String name;
  private final FieldType type;
  private final boolean standardAnalyzer;

  /**
   * @param standardAnalyzer whether {@link AsciiTokenStream} gives this field's terms for ASCII
   */
  TextWriter(String name, FieldType type, boolean standardAnalyzer) {
    this.name = name;
    this.type = type;
    this.standardAnalyzer = standardAnalyzer;
  }

  @Override
  public boolean write(JsonBytes json, Kind kind, List<IndexableField> out) {
    if (standardAnalyzer
        && json.ascii
        && AsciiTokenStream.covers(json.text, json.offset, json.length)) {
      out.add(new AsciiTextField(name, type, json.text, json.offset, json.length));
    } else {
      out.add(new Field(name, json.asString(), type));
    }
    return true;
  }
}
