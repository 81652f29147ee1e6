package io.millrace.storage.offheapcache;

import java.io.IOException;
import java.util.Optional;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.jspecify.annotations.Nullable;

/**
 * The input of a file whose blocks may be cached: everything goes to the real input, clones know
 * the same {@link BlockFile}, and closing the first one closes it.
 *
 * <p>An input carries this knowledge because it is the only object of a segment that Lucene's
 * reader hands to a {@code Decompressor}; the compression mode must be one object for all segments,
 * or merges would not copy blocks (Lucene90CompressingStoredFieldsWriter#getMergeStrategy at 10.5).
 */
public final class CachedInput extends FilterIndexInput {
  private final BlockFile file;
  private final boolean owner;

  CachedInput(IndexInput in, BlockFile file, boolean owner) {
    super(in.toString(), in);
    this.file = file;
    this.owner = owner;
  }

  /** The file whose blocks this input reads, or null if they are not cached. */
  public static @Nullable BlockFile fileOf(DataInput input) {
    return input instanceof CachedInput cached ? cached.file : null;
  }

  @Override
  public CachedInput clone() {
    return new CachedInput(in.clone(), file, false);
  }

  @Override
  public void close() throws IOException {
    if (owner) {
      file.close();
    }
    super.close();
  }

  @Override
  public IndexInput slice(String description, long offset, long length, IOContext context)
      throws IOException {
    return in.slice(description, offset, length, context);
  }

  @Override
  public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
    return in.randomAccessSlice(offset, length);
  }

  @Override
  public void prefetch(long offset, long length) throws IOException {
    in.prefetch(offset, length);
  }

  @Override
  public void updateIOContext(IOContext context) throws IOException {
    in.updateIOContext(context);
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return in.isLoaded();
  }

  @Override
  public void skipBytes(long count) throws IOException {
    in.skipBytes(count);
  }

  @Override
  public short readShort() throws IOException {
    return in.readShort();
  }

  @Override
  public int readInt() throws IOException {
    return in.readInt();
  }

  @Override
  public long readLong() throws IOException {
    return in.readLong();
  }

  @Override
  public void readInts(int[] target, int offset, int length) throws IOException {
    in.readInts(target, offset, length);
  }

  @Override
  public void readLongs(long[] target, int offset, int length) throws IOException {
    in.readLongs(target, offset, length);
  }

  @Override
  public void readFloats(float[] target, int offset, int length) throws IOException {
    in.readFloats(target, offset, length);
  }
}
