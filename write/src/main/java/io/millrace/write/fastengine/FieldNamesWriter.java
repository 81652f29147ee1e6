package io.millrace.write.fastengine;

import java.util.List;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.opensearch.index.mapper.FieldNamesFieldMapper;

/**
 * Adds the {@code _field_names} terms of a field without doc values whenever the field itself wrote
 * something: its path and every prefix of it that ends before a point.
 *
 * <p>Stock: FieldMapper#createFieldNamesField and FieldNamesFieldMapper#extractFieldNames at 3.8.0.
 * The terms never change, so they are made once.
 */
final class FieldNamesWriter implements FieldWriter {
  private final FieldWriter field;
  private final List<IndexableField> names;

  FieldNamesWriter(FieldWriter field, String path) {
    this.field = field;
    this.names = names(path);
  }

  /** The terms of one path. */
  static List<IndexableField> names(String path) {
    List<IndexableField> names = new java.util.ArrayList<>();
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      names.add(name(path.substring(0, dot)));
    }
    names.add(name(path));
    return List.copyOf(names);
  }

  private static IndexableField name(String name) {
    return new TermField(
        FieldNamesFieldMapper.NAME, new BytesRef(name), FieldNamesFieldMapper.Defaults.FIELD_TYPE);
  }

  @Override
  public boolean write(JsonBytes json, Kind kind, List<IndexableField> out) {
    int before = out.size();
    if (!field.write(json, kind, out)) {
      return false;
    }
    if (out.size() > before) {
      out.addAll(names);
    }
    return true;
  }
}
