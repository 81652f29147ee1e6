package io.millrace.write.fastengine;

import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.InvertableType;
import org.apache.lucene.util.BytesRef;

/**
 * One untokenized term with all that stock gives it: posting, sorted-set doc value, point, stored
 * value.
 *
 * <p>The term goes into the postings as it is ({@link InvertableType#BINARY}), without the token
 * stream that {@code Field} makes for a binary value. That path counts a term's length twice
 * (IndexingChain.invertTerm in Lucene 10.5), so it is used for fields without norms only.
 */
final class TermField extends Field {
  private final Number number;

  TermField(String name, BytesRef term, FieldType type) {
    this(name, term, type, 0);
  }

  /** A term whose doc value is a number: what a boolean field is. */
  TermField(String name, BytesRef term, FieldType type, long number) {
    super(name, term, type);
    assert type.omitNorms() || type.indexOptions() == org.apache.lucene.index.IndexOptions.NONE;
    this.number = number;
  }

  @Override
  public InvertableType invertableType() {
    return InvertableType.BINARY;
  }

  @Override
  public Number numericValue() {
    return number;
  }
}
