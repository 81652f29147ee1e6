package io.millrace.storage.packedids;

import java.io.IOException;
import org.apache.lucene.index.FilterSortedDocValues;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/** Doc values on their way to the delegate, which looks terms up and iterates, never seeks. */
final class PackingSorted extends FilterSortedDocValues {
  private final int width;
  private final BytesRef packed;

  PackingSorted(SortedDocValues in, int width) {
    super(in);
    this.width = width;
    this.packed = new BytesRef(new byte[width / 2]);
  }

  @Override
  public BytesRef lookupOrd(int ord) throws IOException {
    return PackingTermsEnum.pack(in.lookupOrd(ord), width, packed);
  }

  @Override
  public int lookupTerm(BytesRef key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public TermsEnum termsEnum() throws IOException {
    return new PackingTermsEnum(in.termsEnum(), width);
  }
}
