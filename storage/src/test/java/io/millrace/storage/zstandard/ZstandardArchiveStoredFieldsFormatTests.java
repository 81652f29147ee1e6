package io.millrace.storage.zstandard;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseStoredFieldsFormatTestCase;

/** Lucene's own conformance kit for stored fields, on {@link ZstandardVariant#ARCHIVE}. */
public class ZstandardArchiveStoredFieldsFormatTests extends BaseStoredFieldsFormatTestCase {
  @Override
  protected Codec getCodec() {
    return new ZstandardCodec.Archive();
  }
}
