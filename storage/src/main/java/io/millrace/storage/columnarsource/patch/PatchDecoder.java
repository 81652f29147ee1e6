package io.millrace.storage.columnarsource.patch;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.io.IOException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteArrayDataInput;

/** Reads back what {@link PatchEncoder} wrote. */
public final class PatchDecoder {
  private PatchDecoder() {}

  /** Whether the patch cannot be read without its base. */
  public static boolean needsBase(byte[] patch) {
    return patch.length > 0 && patch[0] == PatchEncoder.PATCH;
  }

  /**
   * Appends the text.
   *
   * @param patch a whole patch
   * @param base the base from its first byte on; ignored where {@link #needsBase} says so
   * @param where of what file, for the message of a failure
   * @throws CorruptIndexException if the patch is none, or not one of this base
   */
  public static void decode(byte[] patch, ByteSink base, String where, ByteSink out)
      throws IOException {
    if (patch.length > 0 && patch[0] == PatchEncoder.VERBATIM) {
      out.write(patch, 1, patch.length - 1);
      return;
    }
    if (!needsBase(patch)) {
      throw new CorruptIndexException("a text that is neither kept nor a patch", where);
    }
    try {
      apply(new ByteArrayDataInput(patch, 1, patch.length - 1), base, where, out);
    } catch (ArrayIndexOutOfBoundsException e) {
      throw new CorruptIndexException("a patch that is cut short", where, e);
    }
  }

  private static void apply(ByteArrayDataInput in, ByteSink base, String where, ByteSink out)
      throws IOException {
    int length = in.readVInt();
    int begun = out.length;
    long from = 0;
    while (true) {
      int kept = in.readVInt();
      check(kept, Math.min(length - (out.length - begun), in.length() - in.getPosition()), where);
      out.ensure(kept);
      in.readBytes(out.bytes, out.length, kept);
      out.length += kept;
      if (out.length - begun == length) {
        break;
      }
      int copied = in.readVInt();
      check(copied, length - (out.length - begun), where);
      from += in.readZLong();
      if (from < 0 || from + copied > base.length) {
        throw new CorruptIndexException(
            "a patch copies " + copied + " bytes from " + from + " of " + base.length, where);
      }
      out.write(base.bytes, (int) from, copied);
      from += copied;
      if (out.length - begun == length) {
        break;
      }
    }
    if (!in.eof()) {
      throw new CorruptIndexException("a patch that is longer than its text", where);
    }
  }

  private static void check(int count, int left, String where) throws CorruptIndexException {
    if (count < 0 || count > left) {
      throw new CorruptIndexException(
          "a patch with " + count + " bytes where " + left + " are left", where);
    }
  }
}
