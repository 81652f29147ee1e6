package io.millrace.write.fastengine;

import java.util.Locale;

/**
 * Why a document went to stock's parser. Not an error: stock then gives its own answer or its own
 * error, so that no answer of the fast path is ever a guess.
 */
enum Fallback {
  /** SMILE, CBOR or YAML. */
  NOT_JSON,
  /**
   * The mapping or the index as a whole: derived or filtered source, star-tree, foreign metadata.
   */
  MAPPING,
  /** A name that is not mapped: stock extends the mapping, ignores it or refuses it. */
  UNKNOWN_FIELD,
  /** A mapped field of a type or with parameters that the fast path does not cover. */
  UNSUPPORTED_FIELD,
  /** A value outside the covered form: a date in another format, a number in a string. */
  VALUE,
  /** JSON that is broken or unusual: comments, escapes in names, invalid UTF-8. */
  SYNTAX,
  /** The same name twice in one object, which stock refuses. */
  DUPLICATE_KEY,
  /** Nested deeper than the index allows, or longer than the fast path takes. */
  LIMIT,
  /** A data stream's document without exactly one timestamp, which stock refuses. */
  TIMESTAMP,
  /** Values beside the source, as pull-based ingestion passes them. */
  EXTRA_VALUES;

  /** The label of the metric. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
