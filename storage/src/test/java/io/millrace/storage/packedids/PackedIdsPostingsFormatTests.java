package io.millrace.storage.packedids;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BasePostingsFormatTestCase;
import org.apache.lucene.tests.util.TestUtil;

/** Lucene's own conformance kit; its random terms make hardly any packed field. */
public class PackedIdsPostingsFormatTests extends BasePostingsFormatTestCase {
  @Override
  protected Codec getCodec() {
    return TestUtil.alwaysPostingsFormat(new PackedIdsPostingsFormat());
  }
}
