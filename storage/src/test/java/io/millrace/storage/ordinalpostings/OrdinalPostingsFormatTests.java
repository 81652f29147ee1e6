package io.millrace.storage.ordinalpostings;

import java.util.Random;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.tests.index.BasePostingsFormatTestCase;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.BytesRef;

/**
 * Lucene's own conformance kit. Its postings have no doc values beside them and stay what they are;
 * documents of keywords come where the kit asks for random fields: merges that must not change a
 * byte, exceptions at every write, integrity, closing twice.
 */
public class OrdinalPostingsFormatTests extends BasePostingsFormatTestCase {
  @Override
  protected Codec getCodec() {
    return OrdinalPostingsCodec.over(TestUtil.getDefaultCodec(), field -> true);
  }

  @Override
  protected void addRandomFields(Document document) {
    super.addRandomFields(document);
    Random random = random();
    for (int field = random.nextInt(3); field >= 0; field--) {
      for (int i = random.nextInt(4); i > 0; i--) {
        String value = TestUtil.randomSimpleString(random, 12);
        document.add(new StringField("keyword" + field, value, Store.NO));
        document.add(new SortedSetDocValuesField("keyword" + field, new BytesRef(value)));
      }
    }
  }
}
