package io.millrace.kernel.slot;

/**
 * The place of a codec layer, from the inside out: each is built over the codec of those before it.
 *
 * <p>The order is that of the segments on disk: what writes per field stands inside, because it
 * names itself in the field infos and leaves the codec's name alone; what names the segment's codec
 * stands outside.
 */
public enum CodecOrder {
  /** How the terms and doc values of fields are encoded; keeps the name of the codec beneath. */
  TERMS,
  /** What is written beside the terms of fields, to skip them; keeps the name as well. */
  SUMMARIES,
  /** The stored fields, and with them the names that {@code index.codec} may give. */
  STORED_FIELDS,
  /** {@code _source} apart from the other stored fields, over the codec that was named. */
  SOURCE
}
