package io.millrace.storage.ordinalpostings;

import java.io.Reader;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.InvertableType;
import org.apache.lucene.document.StoredValue;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.IndexableFieldType;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Stands in a document in place of the term and the doc value of an id. Lucene gathers one and the
 * same value for all, the placeholder, so that the schema of the field and the documents that have
 * it stay what they are, and gets the id as a stored value, which {@link GatheredIds} takes.
 */
final class IdValue implements IndexableField {
  private static final FieldType TYPE = new FieldType();

  static {
    TYPE.setTokenized(false);
    TYPE.setStored(true);
    TYPE.setOmitNorms(true);
    TYPE.setIndexOptions(IndexOptions.DOCS);
    TYPE.setDocValuesType(DocValuesType.SORTED_SET);
    TYPE.freeze();
  }

  /** No byte of UTF-8, so no keyword is equal to the placeholder. */
  private static final byte NO_TEXT = (byte) 0xFF;

  private final String name;
  private final BytesRef id;
  private final BytesRef placeholder;

  /**
   * @param placeholder {@link #placeholder()}; one for many
   */
  IdValue(String name, BytesRef id, BytesRef placeholder) {
    this.name = name;
    this.id = id;
    this.placeholder = placeholder;
  }

  static BytesRef placeholder() {
    return new BytesRef(new byte[] {NO_TEXT});
  }

  static boolean isPlaceholder(BytesRef value) {
    return value.length == 1 && value.bytes[value.offset] == NO_TEXT;
  }

  @Override
  public String name() {
    return name;
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
    return new StoredValue(id);
  }

  @Override
  public @Nullable TokenStream tokenStream(Analyzer analyzer, @Nullable TokenStream reuse) {
    return null;
  }

  @Override
  public @Nullable String stringValue() {
    return null;
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
    return "id<" + name + ":" + id.utf8ToString() + ">";
  }
}
