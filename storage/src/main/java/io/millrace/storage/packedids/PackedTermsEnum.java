package io.millrace.storage.packedids;

import java.io.IOException;
import org.apache.lucene.index.FilterLeafReader.FilterTermsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOBooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The delegate's packed terms, as the terms they stand for.
 *
 * <p>A term that is sought but never asked for is never unpacked. What {@link #next} and {@link
 * #term} give is one buffer per enum, as Lucene's own enums do.
 */
final class PackedTermsEnum extends FilterTermsEnum {
  private final int width;

  /** What is given to the delegate; it copies or compares at once. */
  private final BytesRef target;

  private final BytesRef term;
  private boolean unpacked;

  PackedTermsEnum(TermsEnum in, int width) {
    super(in);
    this.width = width;
    this.target = new BytesRef(new byte[width / 2]);
    this.term = new BytesRef(new byte[width]);
  }

  private BytesRef unpack(BytesRef packed) throws IOException {
    HexTerms.unpack(packed, width, term.bytes);
    // whoever was given it may have moved its bounds
    term.offset = 0;
    term.length = width;
    unpacked = true;
    return term;
  }

  @Override
  public @Nullable BytesRef next() throws IOException {
    unpacked = false;
    BytesRef packed = in.next();
    return packed == null ? null : unpack(packed);
  }

  @Override
  public BytesRef term() throws IOException {
    return unpacked ? term : unpack(in.term());
  }

  @Override
  public boolean seekExact(BytesRef text) throws IOException {
    unpacked = false;
    return HexTerms.pack(text, width, target.bytes) && in.seekExact(target);
  }

  @Override
  public @Nullable IOBooleanSupplier prepareSeekExact(BytesRef text) throws IOException {
    unpacked = false;
    return HexTerms.pack(text, width, target.bytes) ? in.prepareSeekExact(target) : null;
  }

  @Override
  public SeekStatus seekCeil(BytesRef text) throws IOException {
    unpacked = false;
    if (!HexTerms.ceiling(text, width, target.bytes)) {
      return SeekStatus.END;
    }
    SeekStatus status = in.seekCeil(target);
    return status == SeekStatus.FOUND && !HexTerms.fits(text, width)
        ? SeekStatus.NOT_FOUND
        : status;
  }

  @Override
  public void seekExact(long ord) throws IOException {
    unpacked = false;
    in.seekExact(ord);
  }

  /** The state was this field's, so the term is one of this field's. */
  @Override
  public void seekExact(BytesRef text, TermState state) throws IOException {
    unpacked = false;
    if (!HexTerms.pack(text, width, target.bytes)) {
      throw new IllegalArgumentException("no term of this field: " + text);
    }
    in.seekExact(target, state);
  }

  @Override
  public boolean preferSeekExact() {
    return in.preferSeekExact();
  }
}
