package io.millrace.cli.ingest;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decompresses gzip, any number of members one after another (RFC 1952, section 2.2), and says at
 * which byte of the compressed file it stopped.
 *
 * <p>Why not {@link java.util.zip.GZIPInputStream}: it asks {@code available()} whether another
 * member follows; a pipe answers 0 there, and everything after the first member is silently lost
 * (JDK bug 7036144 and its relatives). Bytes before a cut are always delivered first.
 */
final class GzipMembers extends InputStream {
  private final InputStream in;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] buffer = new byte[1 << 16];
  private int position;
  private int limit;
  private long consumed;
  private boolean inMember;
  private boolean ended;

  GzipMembers(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    int got = read(one, 0, 1);
    return got < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!ended) {
      if (!inMember && !header()) {
        ended = true;
        break;
      }
      int got = inflate(target, offset, length);
      if (got > 0) {
        crc.update(target, offset, got);
        return got;
      }
      if (inflater.finished()) {
        trailer();
      } else {
        fillForInflater();
      }
    }
    return -1;
  }

  private int inflate(byte[] target, int offset, int length) throws IOException {
    try {
      return inflater.inflate(target, offset, length);
    } catch (DataFormatException e) {
      throw new ZipException("corrupt gzip data near byte " + consumed() + ": " + e.getMessage());
    }
  }

  private void fillForInflater() throws IOException {
    if (position == limit && !fill()) {
      throw cut();
    }
    inflater.setInput(buffer, position, limit - position);
    position = limit;
  }

  private long consumed() {
    return consumed - (limit - position) - inflater.getRemaining();
  }

  private EOFException cut() {
    return new EOFException("gzip data ends in the middle of a member, at byte " + consumed());
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, in.read(buffer, 0, buffer.length));
    consumed += limit;
    return limit > 0;
  }

  private int next() throws IOException {
    if (position == limit && !fill()) {
      throw cut();
    }
    return buffer[position++] & 0xff;
  }

  /** False at the end of the file; zero padding after a member counts as the end. */
  private boolean header() throws IOException {
    if (position == limit && !fill()) {
      return false;
    }
    int first = next();
    if (first == 0 && consumed() > 1) {
      return false;
    }
    if (first != 0x1f || next() != 0x8b) {
      throw new ZipException(
          "no gzip member starts at byte "
              + (consumed() - 1)
              + ": the file goes on with other data");
    }
    next();
    int flags = next();
    for (int i = 0; i < 6; i++) {
      next();
    }
    if ((flags & 4) != 0) {
      int extra = next() | next() << 8;
      for (int i = 0; i < extra; i++) {
        next();
      }
    }
    for (int text = flags & 0x18; text != 0; text &= text - 1) {
      while (next() != 0) {
        // skips the file name, then the comment
      }
    }
    if ((flags & 2) != 0) {
      next();
      next();
    }
    inflater.reset();
    crc.reset();
    inMember = true;
    return true;
  }

  private void trailer() throws IOException {
    position = limit - inflater.getRemaining();
    inflater.setInput(buffer, 0, 0);
    long sum = 0;
    for (int i = 0; i < 4; i++) {
      sum |= (long) next() << (8 * i);
    }
    for (int i = 0; i < 4; i++) {
      next();
    }
    if (sum != crc.getValue()) {
      throw new ZipException("gzip checksum differs in the member that ends at byte " + consumed());
    }
    inMember = false;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }
}
