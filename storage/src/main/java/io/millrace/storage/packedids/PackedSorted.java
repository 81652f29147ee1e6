package io.millrace.storage.packedids;

import java.io.IOException;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;

/** A packed field's doc values as the terms they stand for; ordinals are the delegate's. */
final class PackedSorted extends SortedDocValues {
  private final SortedDocValues in;
  final int width;
  private final BytesRef term;

  PackedSorted(SortedDocValues in, int width) {
    this.in = in;
    this.width = width;
    this.term = new BytesRef(new byte[width]);
  }

  @Override
  public int ordValue() throws IOException {
    return in.ordValue();
  }

  @Override
  public BytesRef lookupOrd(int ord) throws IOException {
    HexTerms.unpack(in.lookupOrd(ord), width, term.bytes);
    term.offset = 0;
    term.length = width;
    return term;
  }

  @Override
  public int lookupTerm(BytesRef key) throws IOException {
    BytesRef packed = new BytesRef(new byte[width / 2]);
    if (!HexTerms.ceiling(key, width, packed.bytes)) {
      return -getValueCount() - 1;
    }
    int ord = in.lookupTerm(packed);
    return ord >= 0 && !HexTerms.fits(key, width) ? -ord - 1 : ord;
  }

  @Override
  public TermsEnum termsEnum() throws IOException {
    return new PackedTermsEnum(in.termsEnum(), width);
  }

  @Override
  public int getValueCount() {
    return in.getValueCount();
  }

  @Override
  public boolean advanceExact(int target) throws IOException {
    return in.advanceExact(target);
  }

  @Override
  public int docID() {
    return in.docID();
  }

  @Override
  public int nextDoc() throws IOException {
    return in.nextDoc();
  }

  @Override
  public int advance(int target) throws IOException {
    return in.advance(target);
  }

  @Override
  public long cost() {
    return in.cost();
  }

  @Override
  public void intoBitSet(int upTo, FixedBitSet bitSet, int offset) throws IOException {
    in.intoBitSet(upTo, bitSet, offset);
  }

  @Override
  public int docIDRunEnd() throws IOException {
    return in.docIDRunEnd();
  }
}
