package io.millrace.write.fastengine;

import io.millrace.write.logtext.LogTextFieldMapper;
import java.util.List;
import org.apache.lucene.index.IndexableField;

/**
 * Values of {@code log_text}: the mapper makes the field, as it does on stock's path; only a
 * document's first value of the field may be written by its template.
 */
final class LogTextWriter implements FieldWriter {
  private final LogTextFieldMapper mapper;
  private final String name;

  LogTextWriter(LogTextFieldMapper mapper) {
    this.mapper = mapper;
    this.name = mapper.name();
  }

  @Override
  public boolean write(JsonBytes json, Kind kind, List<IndexableField> out) {
    out.add(mapper.field(json.asString(), isFirst(out)));
    return true;
  }

  /** Backwards, as the values of an array follow each other. */
  private boolean isFirst(List<IndexableField> out) {
    for (int i = out.size() - 1; i >= 0; i--) {
      if (out.get(i).name().equals(name)) {
        return false;
      }
    }
    return true;
  }
}
