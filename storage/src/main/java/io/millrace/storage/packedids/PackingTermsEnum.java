package io.millrace.storage.packedids;

import java.io.IOException;
import org.apache.lucene.index.FilterLeafReader.FilterTermsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Terms on their way to the delegate, which iterates and never seeks. */
final class PackingTermsEnum extends FilterTermsEnum {
  private final int width;
  private final BytesRef packed;

  PackingTermsEnum(TermsEnum in, int width) {
    super(in);
    this.width = width;
    this.packed = new BytesRef(new byte[width / 2]);
  }

  static BytesRef pack(BytesRef term, int width, BytesRef packed) {
    if (!HexTerms.pack(term, width, packed.bytes)) {
      throw new IllegalStateException(
          "term " + term + " was not there when the field's width was found to be " + width);
    }
    return packed;
  }

  @Override
  public @Nullable BytesRef next() throws IOException {
    BytesRef term = in.next();
    return term == null ? null : pack(term, width, packed);
  }

  @Override
  public BytesRef term() throws IOException {
    return pack(in.term(), width, packed);
  }
}
