package io.millrace.write.fastengine;

import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.FieldMapper;

/** One field of a mapping, as a {@link CoveredType} reads it. */
record MappedField(FieldMapper mapper, FieldParameters parameters) {
  /** Path of the field. */
  String name() {
    return mapper.name();
  }

  boolean indexed() {
    return parameters.flag("index");
  }

  boolean stored() {
    return parameters.flag("store");
  }

  boolean docValues() {
    return parameters.flag("doc_values");
  }

  /** A flag; false where it is not printed. */
  boolean flag(String parameter) {
    return parameters.flag(parameter);
  }

  /** A parameter as text, null if it is absent or null. */
  @Nullable String text(String parameter) {
    return parameters.text(parameter);
  }
}
