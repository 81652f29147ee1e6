package io.millrace.write.lateinversion;

import java.io.Reader;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.InvertableType;
import org.apache.lucene.document.StoredValue;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.IndexableFieldType;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Stands in a document in place of a value. Lucene inverts one and the same term for it, so that
 * the schema of the field and the documents that have it stay what they are, and gets the terms as
 * a stored value, which {@link LateCodec} does not store.
 *
 * <p>The terms are made when Lucene asks for the stored value, before it writes anything of it
 * (IndexingChain#invertAndStore in Lucene 10.5): a value that fails there fails its document alone.
 */
final class LateValue implements IndexableField {
  private static final FieldType TYPE = new FieldType();

  static {
    TYPE.setTokenized(false);
    TYPE.setStored(true);
    TYPE.setOmitNorms(true);
    TYPE.setIndexOptions(IndexOptions.DOCS);
    TYPE.freeze();
  }

  private final LateTerms value;
  private final BytesRef placeholder;
  private final ThreadLocal<TermWriter> writers;

  LateValue(LateTerms value, BytesRef placeholder, ThreadLocal<TermWriter> writers) {
    this.value = value;
    this.placeholder = placeholder;
    this.writers = writers;
  }

  @Override
  public String name() {
    return value.name();
  }

  @Override
  public IndexableFieldType fieldType() {
    return TYPE;
  }

  @Override
  public InvertableType invertableType() {
    return InvertableType.BINARY;
  }

  @Override
  public BytesRef binaryValue() {
    return placeholder;
  }

  @Override
  public StoredValue storedValue() {
    return new StoredValue(writers.get().write(value));
  }

  @Override
  public @Nullable TokenStream tokenStream(Analyzer analyzer, @Nullable TokenStream reuse) {
    return null;
  }

  @Override
  public String stringValue() {
    return value.stringValue();
  }

  @Override
  public @Nullable Reader readerValue() {
    return null;
  }

  @Override
  public @Nullable Number numericValue() {
    return null;
  }

  /** For logs and tests. */
  @Override
  public String toString() {
    return "late:" + value;
  }
}
