package io.millrace.write.fastengine;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.FieldMapper;

/**
 * Compiles one mapper into its writer, in two steps: is the field covered (and by which sample
 * value can stock be asked about it), and which writer gives what stock gave for the sample. What
 * depends on the field's type is in its {@link CoveredType}.
 */
final class FieldCompiler {
  private final CoveredType type;
  private final MappedField field;

  private FieldCompiler(CoveredType type, MappedField field) {
    this.type = type;
    this.field = field;
  }

  /** The compiler for a mapper whose type and parameters are covered, else null. */
  static @Nullable FieldCompiler of(FieldMapper mapper) throws IOException {
    CoveredType type = CoveredTypes.of(mapper);
    if (type == null || !mapper.copyTo().copyToFields().isEmpty()) {
      return null;
    }
    MappedField field = new MappedField(mapper, FieldParameters.of(mapper));
    return type.takes(field) ? new FieldCompiler(type, field) : null;
  }

  /** Path of the field. */
  String name() {
    return field.name();
  }

  /** Whether null adds nothing to the document. */
  boolean nullIsNothing() {
    return field.text("null_value") == null;
  }

  /** A value that stock takes. */
  Object sample() {
    return type.sample(field);
  }

  /** Whether stock takes nothing but values like {@link #sample}. */
  boolean needsItsOwnSample() {
    return !sample().equals(CoveredType.ANY_TEXT);
  }

  /** Whether stock makes nothing of a sample because it is too long for the field. */
  boolean ignores(Object sample) {
    return type.ignores(field, sample);
  }

  /**
   * The writer that repeats what stock made.
   *
   * @param made stock's Lucene fields of this name for the sample
   * @param fieldNames whether fields without doc values are named in {@code _field_names}
   * @return null if what stock made is not what the type's class knows
   */
  @Nullable FieldWriter writer(List<IndexableField> made, boolean fieldNames) {
    FieldWriter writer = type.writer(field, made);
    return writer != null && fieldNames && type.named(field, made)
        ? new FieldNamesWriter(writer, name())
        : writer;
  }
}
