package io.millrace.write.fastengine;

import java.util.List;
import org.apache.lucene.index.IndexableField;

/** A mapped field with its multi-fields: what to write for a value and what null means. */
final class PlannedField {
  private final FieldWriter[] writers;
  private final boolean nullIsNothing;
  private final boolean timestamp;

  /**
   * @param writers the field's own writer first, then those of its multi-fields
   * @param nullIsNothing false if one of them has a {@code null_value}
   * @param timestamp whether this is the timestamp of a data stream
   */
  PlannedField(List<FieldWriter> writers, boolean nullIsNothing, boolean timestamp) {
    this.writers = writers.toArray(FieldWriter[]::new);
    this.nullIsNothing = nullIsNothing;
    this.timestamp = timestamp;
  }

  /** Writes one value; false if it has to go to stock. */
  boolean write(JsonBytes json, FieldWriter.Kind kind, List<IndexableField> out) {
    for (FieldWriter writer : writers) {
      if (!writer.write(json, kind, out)) {
        return false;
      }
    }
    return true;
  }

  boolean nullIsNothing() {
    return nullIsNothing;
  }

  boolean timestamp() {
    return timestamp;
  }
}
