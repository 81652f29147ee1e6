package io.millrace.pipelines.loki;

import io.millrace.pipelines.intake.MalformedBodyException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.compression.Snappy;

/** Snappy's block format, which begins with the length of what it holds. */
final class SnappyBlock {
  /** A copy of 64 bytes takes three; what claims more is a claim only. */
  private static final long MOST = 64;

  private SnappyBlock() {}

  /**
   * What a block holds.
   *
   * @param limit bytes that it may hold
   * @param limitKey the setting that says so
   * @throws MalformedBodyException when it is no block or holds more
   */
  static byte[] decode(byte[] block, long limit, String limitKey) throws MalformedBodyException {
    long length = length(block);
    if (length > limit) {
      throw new MalformedBodyException(
          "the body holds ["
              + length
              + "] bytes, more than the ["
              + limit
              + "] of ["
              + limitKey
              + "]; send smaller batches");
    }
    if (length > MOST * block.length) {
      throw new MalformedBodyException("the body is no block of Snappy: its length is made up");
    }
    ByteBuf out = Unpooled.buffer((int) length, Math.max(1, (int) length));
    try {
      new Snappy().decode(Unpooled.wrappedBuffer(block), out);
    } catch (RuntimeException e) {
      throw new MalformedBodyException("the body is no block of Snappy: " + e.getMessage(), e);
    }
    if (out.readableBytes() != length) {
      throw new MalformedBodyException("the body is no block of Snappy: it ends too early");
    }
    byte[] bytes = new byte[(int) length];
    out.readBytes(bytes);
    return bytes;
  }

  private static long length(byte[] block) throws MalformedBodyException {
    long length = 0;
    for (int i = 0; i < 5 && i < block.length; i++) {
      length |= (long) (block[i] & 0x7f) << 7 * i;
      if (block[i] >= 0) {
        return length;
      }
    }
    throw new MalformedBodyException("the body is no block of Snappy: it has no length");
  }
}
