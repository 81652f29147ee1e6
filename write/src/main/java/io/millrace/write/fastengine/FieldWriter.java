package io.millrace.write.fastengine;

import java.util.List;
import org.apache.lucene.index.IndexableField;

/** Writes the Lucene fields of one mapped field (or of one of its multi-fields) for one value. */
interface FieldWriter {

  /** What stands in the JSON. */
  enum Kind {
    STRING,
    NUMBER,
    TRUE,
    FALSE
  }

  /**
   * Adds the fields for the scalar that {@code json} has just read.
   *
   * @return false if the value is not one whose result is known to be stock's; the document is then
   *     given to stock, so what has been added before does no harm
   */
  boolean write(JsonBytes json, Kind kind, List<IndexableField> out);
}
