package io.millrace.storage.zstandard;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseTermVectorsFormatTestCase;

/** The parts that the codec passes on to stock's still pass Lucene's kit under the codec's name. */
public class ZstandardTermVectorsTests extends BaseTermVectorsFormatTestCase {
  @Override
  protected Codec getCodec() {
    return new ZstandardCodec.Standard();
  }
}
