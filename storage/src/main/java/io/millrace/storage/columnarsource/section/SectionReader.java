package io.millrace.storage.columnarsource.section;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.zstandard.DecompressionContexts;
import java.util.Arrays;
import org.apache.lucene.store.ByteArrayDataInput;
import org.jspecify.annotations.Nullable;

/**
 * The sections of one block while it is being read. Columns take their shares in the order in which
 * they were written; frames of text are decoded when a value in them is asked for, and kept until
 * the next block.
 */
public final class SectionReader {
  private final DecompressionContexts contexts;

  /** The open block, with at least eight bytes to spare behind it. */
  public byte[] block = {};

  private byte[] directoryBytes = {};

  /** The directory, at the next column. */
  public final ByteArrayDataInput directory = new ByteArrayDataInput();

  private int packed;
  private int packedEnd;
  private int textTaken;

  private int frames;
  private int[] plainEnds = new int[16];
  private int[] sizes = new int[16];
  private int[] places = new int[16];
  private byte[] @Nullable [] plain = new byte[16][];

  /** No block is open yet; frames are decoded in contexts that are borrowed. */
  public SectionReader(DecompressionContexts contexts) {
    this.contexts = contexts;
  }

  /**
   * Reads the body of a block.
   *
   * @param bytes the block, with eight bytes to spare behind {@code end}
   * @param from where the body begins
   * @param end behind the body
   */
  public void open(byte[] bytes, int from, int end) {
    block = bytes;
    ByteArrayDataInput in = new ByteArrayDataInput(bytes, from, end - from);
    int length = in.readVInt();
    int compressed = in.readVInt();
    int at = in.getPosition();
    require(length >= 0 && length <= SectionWriter.MAX_DIRECTORY, "directory", length);
    if (directoryBytes.length < length) {
      directoryBytes = new byte[length];
    }
    at = decode(bytes, at, compressed, end, directoryBytes, length);
    directory.reset(directoryBytes, 0, length);
    in.setPosition(at);
    int packedLength = in.readVInt();
    packed = in.getPosition();
    require(packedLength >= 0 && packedLength <= end - packed, "packed values", packedLength);
    packedEnd = packed + packedLength;
    in.setPosition(packedEnd);
    frames = in.readVInt();
    require(frames >= 0 && frames <= end - packedEnd, "frames", frames);
    if (plainEnds.length < frames) {
      plainEnds = new int[frames];
      sizes = new int[frames];
      places = new int[frames];
      plain = new byte[frames][];
    }
    Arrays.fill(plain, null);
    int text = 0;
    for (int i = 0; i < frames; i++) {
      int plainLength = in.readVInt();
      int size = in.readVInt();
      require(plainLength > 0, "frame", plainLength);
      text = Math.addExact(text, plainLength);
      plainEnds[i] = text;
      sizes[i] = size;
      places[i] = in.getPosition();
      int stored = size == 0 ? plainLength : size;
      require(stored > 0 && stored <= end - places[i], "frame", stored);
      in.setPosition(places[i] + stored);
    }
    require(in.getPosition() == end, "bytes behind the last frame", end - in.getPosition());
    textTaken = 0;
  }

  /**
   * @throws IllegalStateException naming what is unsound, if it is
   */
  public static void require(boolean sound, String what, long value) {
    if (!sound) {
      throw new IllegalStateException(what + ": " + value);
    }
  }

  /** Reads what {@link ByteSink#writeVLong} wrote; Lucene's own refuses the 64th bit. */
  static long readVLong(ByteArrayDataInput in) {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      byte b = in.readByte();
      value |= (b & 0x7FL) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new IllegalStateException("number without end");
  }

  /** Reads what {@link ByteSink#writeZLong} wrote. */
  public static long readZLong(ByteArrayDataInput in) {
    long value = readVLong(in);
    return value >>> 1 ^ -(value & 1);
  }

  private int decode(byte[] from, int at, int size, int end, byte[] target, int length) {
    if (size == 0) {
      require(length <= end - at, "plain bytes", length);
      System.arraycopy(from, at, target, 0, length);
      return at + length;
    }
    require(size > 0 && size <= end - at, "frame", size);
    DecompressionContexts.Context context = contexts.borrow();
    int decoded;
    try {
      decoded = context.zstd().decompressByteArray(target, 0, length, from, at, size);
    } finally {
      contexts.giveBack(context);
    }
    require(decoded == length, "decoded bytes", decoded);
    return at + size;
  }

  /** The next share of the packed section. */
  public int takePacked(long bytes) {
    require(bytes <= packedEnd - packed, "packed bytes", bytes);
    int base = packed;
    packed += (int) bytes;
    return base;
  }

  /** The next share of the text. */
  public int takeText(long bytes) {
    int end = frames == 0 ? 0 : plainEnds[frames - 1];
    require(bytes >= 0 && bytes <= end - textTaken, "text", bytes);
    int base = textTaken;
    textTaken += (int) bytes;
    return base;
  }

  /** Where the next column begins. */
  public record Place(int directory, int packed, int text) {}

  /** Where the next column begins. */
  public Place place() {
    return new Place(directory.getPosition(), packed, textTaken);
  }

  /** Goes on reading columns elsewhere. */
  public void moveTo(Place place) {
    require(
        place.directory >= 0 && place.directory <= directory.length(),
        "directory",
        place.directory);
    require(place.packed >= 0 && place.packed <= packedEnd, "packed bytes", place.packed);
    directory.setPosition(place.directory);
    packed = place.packed;
    textTaken = place.text;
  }

  /** Appends a piece of the text. */
  public void text(int from, int length, ByteSink out) {
    int at = from;
    int left = length;
    if (left == 0) {
      return;
    }
    int i = Arrays.binarySearch(plainEnds, 0, frames, at + 1);
    i = i < 0 ? -i - 1 : i;
    while (left > 0) {
      byte[] content = frame(i);
      int start = i == 0 ? 0 : plainEnds[i - 1];
      int piece = Math.min(left, plainEnds[i] - at);
      out.write(content, at - start, piece);
      at += piece;
      left -= piece;
      i++;
    }
  }

  private byte[] frame(int i) {
    byte[] content = plain[i];
    if (content == null) {
      int length = plainEnds[i] - (i == 0 ? 0 : plainEnds[i - 1]);
      content = new byte[length];
      decode(block, places[i], sizes[i], block.length, content, length);
      plain[i] = content;
    }
    return content;
  }
}
