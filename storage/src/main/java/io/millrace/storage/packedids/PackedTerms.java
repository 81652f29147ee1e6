package io.millrace.storage.packedids;

import java.io.IOException;
import org.apache.lucene.index.FilterLeafReader.FilterTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * A packed field of a segment; statistics are the delegate's, which counts the same terms.
 *
 * <p>Automata (prefix, wildcard, regexp) run over the unpacked terms: Lucene's generic enum seeks
 * from one possible match to the next with {@link PackedTermsEnum#seekCeil}.
 */
final class PackedTerms extends FilterTerms {
  final int width;

  PackedTerms(Terms in, int width) {
    super(in);
    this.width = width;
  }

  @Override
  public TermsEnum iterator() throws IOException {
    return new PackedTermsEnum(in.iterator(), width);
  }

  @Override
  public @Nullable BytesRef getMin() throws IOException {
    return unpack(in.getMin());
  }

  @Override
  public @Nullable BytesRef getMax() throws IOException {
    return unpack(in.getMax());
  }

  private @Nullable BytesRef unpack(@Nullable BytesRef packed) throws IOException {
    if (packed == null) {
      return null;
    }
    BytesRef term = new BytesRef(new byte[width], 0, width);
    HexTerms.unpack(packed, width, term.bytes);
    return term;
  }
}
