package io.millrace.storage.packedids;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseDocValuesFormatTestCase;
import org.apache.lucene.tests.util.TestUtil;

/** Lucene's own conformance kit; its random terms make hardly any packed field. */
public class PackedIdsDocValuesFormatTests extends BaseDocValuesFormatTestCase {
  @Override
  protected Codec getCodec() {
    return TestUtil.alwaysDocValuesFormat(new PackedIdsDocValuesFormat());
  }
}
