package io.millrace.search.columns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.bytes.AbstractBytesReference;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;

/**
 * The columns of one shard. It is the only value of a field of the shard's first hit.
 *
 * <p>The fetch phase has no end that a plugin is told of, so the block is put into that hit while
 * it is empty and is filled as the hits go by. To the answer it is a value of bytes, which are made
 * when they are asked for: once the fetch phase is over and the hits go to another node. On the
 * same node they never are.
 */
final class ColumnBlock extends AbstractBytesReference {
  private final List<ColumnValues> columns;
  private @Nullable BytesReference bytes;

  ColumnBlock(List<ColumnValues> columns) {
    this.columns = columns;
  }

  /** The block that a hit carries, as it was or from its bytes. */
  static ColumnBlock of(Object value) throws IOException {
    if (value instanceof ColumnBlock block) {
      return block;
    }
    if (!(value instanceof BytesReference bytes)) {
      throw new IllegalStateException("no columns but " + value.getClass().getName());
    }
    try (StreamInput in = bytes.streamInput()) {
      return new ColumnBlock(in.readList(ColumnValues::readFrom));
    }
  }

  List<ColumnValues> columns() {
    return columns;
  }

  int rows() {
    return columns.getFirst().rows();
  }

  private synchronized BytesReference bytes() {
    if (bytes == null) {
      try {
        BytesStreamOutput out = new BytesStreamOutput();
        out.writeCollection(columns, (to, column) -> column.writeTo(to));
        bytes = out.bytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e); // to memory: cannot happen
      }
    }
    return bytes;
  }

  @Override
  public byte get(int index) {
    return bytes().get(index);
  }

  @Override
  public int length() {
    return bytes().length();
  }

  @Override
  public BytesReference slice(int from, int length) {
    return bytes().slice(from, length);
  }

  @Override
  public long ramBytesUsed() {
    return columns.stream().mapToLong(ColumnValues::bytes).sum();
  }

  @Override
  public BytesRef toBytesRef() {
    return bytes().toBytesRef();
  }
}
