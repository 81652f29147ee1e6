package io.millrace.storage.ordinalpostings;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseDocValuesFormatTestCase;
import org.apache.lucene.tests.util.TestUtil;

/** Lucene's own conformance kit; few of its fields are indexed, so few have lists. */
public class OrdinalListsDocValuesFormatTests extends BaseDocValuesFormatTestCase {
  @Override
  protected Codec getCodec() {
    return TestUtil.alwaysDocValuesFormat(new OrdinalListsDocValuesFormat());
  }
}
