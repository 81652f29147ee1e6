package io.millrace.write.fastengine;

import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BitUtil;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.index.translog.Translog;

/**
 * One operation as it stands in a translog: its length (four bytes, the higher first), the
 * operation, and its CRC32. Reused; for one thread.
 *
 * <p>Source: Translog#add and Translog#writeOperationNoSize at 3.8.0. What an operation writes of
 * itself is stock's ({@code Translog.Operation#writeOperation}), so the bytes are the same; only
 * what they are written to differs. Stock takes a page of 16 KiB and a buffer of 1 KiB for the
 * checksum for each operation, and puts each byte into both.
 */
final class OperationBytes extends StreamOutput {
  private final CRC32 checksum = new CRC32();
  private byte[] bytes = new byte[1024];
  private int length;

  /** The operation; valid until the next one is written. */
  BytesReference write(Translog.Operation operation) throws IOException {
    length = Integer.BYTES;
    Translog.Operation.writeOperation(this, operation);
    checksum.reset();
    checksum.update(bytes, Integer.BYTES, length - Integer.BYTES);
    writeInt((int) checksum.getValue());
    int end = length;
    length = 0;
    writeInt(end - Integer.BYTES);
    length = end;
    return new BytesArray(bytes, 0, end);
  }

  private void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, ArrayUtil.oversize(Math.addExact(length, more), Byte.BYTES));
    }
  }

  @Override
  public void writeByte(byte b) {
    ensure(1);
    bytes[length++] = b;
  }

  @Override
  public void writeBytes(byte[] from, int offset, int count) {
    ensure(count);
    System.arraycopy(from, offset, bytes, length, count);
    length += count;
  }

  @Override
  public void writeInt(int i) {
    ensure(Integer.BYTES);
    BitUtil.VH_BE_INT.set(bytes, length, i);
    length += Integer.BYTES;
  }

  @Override
  public void writeLong(long i) {
    ensure(Long.BYTES);
    BitUtil.VH_BE_LONG.set(bytes, length, i);
    length += Long.BYTES;
  }

  /** Heap of the buffer, bytes. */
  int held() {
    return bytes.length;
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}

  @Override
  public void reset() {
    length = 0;
  }
}
