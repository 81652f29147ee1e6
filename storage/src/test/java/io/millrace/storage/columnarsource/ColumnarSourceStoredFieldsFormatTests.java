package io.millrace.storage.columnarsource;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseStoredFieldsFormatTestCase;

/** Lucene's own conformance kit for stored fields. */
public class ColumnarSourceStoredFieldsFormatTests extends BaseStoredFieldsFormatTestCase {
  @Override
  protected Codec getCodec() {
    return new ColumnarSourceCodec();
  }
}
