package io.millrace.storage.columnarsource.section;

import io.millrace.kernel.text.LittleEndian;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.offheapcache.BlockFile;
import io.millrace.storage.offheapcache.CachedBlock;
import io.millrace.storage.zstandard.DecompressionContexts;
import java.util.Arrays;
import java.util.Objects;
import org.apache.lucene.store.ByteArrayDataInput;
import org.jspecify.annotations.Nullable;

/**
 * The sections of one block while it is being read. Columns take their shares in the order in which
 * they were written; frames of text are decoded when a value in them is asked for.
 *
 * <p>The block is an array of the reader's own, whose decoded frames are kept until the next block;
 * or it lies in the node's cache, and then the reader holds the directory alone: packed values are
 * read where they lie, and frames are looked up in the cache one by one.
 */
public final class SectionReader {
  private static final byte[] NO_BASE = {};

  private final DecompressionContexts contexts;

  /** The reader's own block, with at least eight bytes to spare behind it; null if it is cached. */
  private byte @Nullable [] block;

  private @Nullable BlockFile file;
  private long start;

  // while a cached block is in use
  private @Nullable CachedBlock image;
  private @Nullable CachedBlock frame;
  private int frameNumber;
  private boolean decoded;
  private byte[] piece = {};

  private long heap;

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

  /** The frame whose text is another one's dictionary, or -1. */
  private int[] bases = new int[16];

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
   * @param cache takes and gives decoded frames; null if there is none
   * @param position of the block in the file
   */
  public void open(byte[] bytes, int from, int end, @Nullable BlockFile cache, long position) {
    block = bytes;
    file = cache;
    start = position;
    heap = 0;
    ByteArrayDataInput in = new ByteArrayDataInput(bytes, from, end - from);
    int length = in.readVInt();
    int compressed = in.readVInt();
    int at = in.getPosition();
    require(length >= 0 && length <= SectionWriter.MAX_DIRECTORY, "directory", length);
    if (directoryBytes.length < length) {
      directoryBytes = new byte[length];
    }
    at = decode(bytes, at, compressed, end, directoryBytes, length, NO_BASE);
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
      bases = new int[frames];
      plain = new byte[frames][];
    }
    Arrays.fill(plain, null);
    int text = 0;
    for (int i = 0; i < frames; i++) {
      int plainLength = in.readVInt();
      bases[i] = -1;
      if (plainLength == 0) {
        int distance = in.readVInt();
        require(distance > 0 && distance <= i && bases[i - distance] < 0, "base", distance);
        bases[i] = i - distance;
        plainLength = in.readVInt();
      }
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
    charge(directoryBytes.length + 24L * frames);
  }

  /** Lets go of the array: from now on the block is read in the cache, between use and release. */
  public void leaveArray() {
    block = null;
  }

  /** Reads the block where the cache holds it, which the caller pins. */
  public void use(CachedBlock cached) {
    image = cached;
    frameNumber = -1;
  }

  /** Ends a use: nothing of the cache is held, and no decoded text. */
  public void release() {
    image = null;
    if (frame != null) {
      frame.close();
      frame = null;
    }
    if (decoded) {
      Arrays.fill(plain, null);
      decoded = false;
    }
  }

  /** Counts heap that was taken for the block. */
  public void charge(long bytes) {
    heap += bytes;
  }

  /** Heap that the block's directory takes, bytes. */
  public long heap() {
    return heap;
  }

  /** Eight packed bytes, the lowest first. */
  long getLong(int at) {
    byte[] own = block;
    return own == null ? cached().getLong(at) : LittleEndian.getLong(own, at);
  }

  private CachedBlock cached() {
    return Objects.requireNonNull(image, "the block is not in use");
  }

  /** An array with packed bytes, of which the first is at {@link #offset}. */
  public byte[] bytes(int at, int count) {
    byte[] own = block;
    if (own != null) {
      return own;
    }
    if (piece.length < count) {
      piece = new byte[count];
    }
    cached().copy(at, piece, 0, count);
    return piece;
  }

  /** Where in {@link #bytes} they begin. */
  public int offset(int at) {
    return block == null ? 0 : at;
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

  private int decode(
      byte[] from, int at, int size, int end, byte[] target, int length, byte[] base) {
    if (size == 0) {
      require(length <= end - at, "plain bytes", length);
      System.arraycopy(from, at, target, 0, length);
      return at + length;
    }
    require(size > 0 && size <= end - at, "frame", size);
    DecompressionContexts.Context context = contexts.borrow();
    int decoded;
    try {
      decoded = context.decompress(target, length, from, at, size, base);
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
      int within = at - (i == 0 ? 0 : plainEnds[i - 1]);
      int count = Math.min(left, plainEnds[i] - at);
      CachedBlock cached = block == null && plain[i] == null ? cachedFrame(i) : null;
      if (cached == null) {
        out.write(frame(i), within, count);
      } else {
        out.ensure(count);
        cached.copy(within, out.bytes, out.length, count);
        out.length += count;
      }
      at += count;
      left -= count;
      i++;
    }
  }

  /** A frame in the cache, pinned until another one is asked for. */
  private @Nullable CachedBlock cachedFrame(int i) {
    if (frameNumber == i) {
      return frame;
    }
    if (frame != null) {
      frame.close();
    }
    frame = lookUp(i);
    frameNumber = i;
    return frame;
  }

  private @Nullable CachedBlock lookUp(int i) {
    CachedBlock found = file == null || large(i) ? null : file.get(start + places[i]);
    if (found != null && found.length() != length(i)) {
      found.close();
      throw new IllegalStateException("a cached frame of " + found.length() + " bytes");
    }
    return found;
  }

  /** Whether a frame holds a large value, which is not cached. */
  private boolean large(int i) {
    return length(i) > 4 * SectionWriter.FRAME;
  }

  private int length(int i) {
    return plainEnds[i] - (i == 0 ? 0 : plainEnds[i - 1]);
  }

  private byte[] frame(int i) {
    byte[] content = plain[i];
    if (content == null) {
      content = new byte[length(i)];
      if (block == null || !copied(i, content)) {
        decodeFrame(i, content);
      }
      plain[i] = content;
    }
    return content;
  }

  private void decodeFrame(int i, byte[] content) {
    byte[] base = bases[i] < 0 ? NO_BASE : base(bases[i]);
    byte[] own = block;
    if (own == null) {
      int stored = sizes[i] == 0 ? content.length : sizes[i];
      decode(bytes(places[i], stored), 0, sizes[i], stored, content, content.length, base);
      decoded = true;
    } else {
      decode(own, places[i], sizes[i], own.length, content, content.length, base);
    }
    if (file != null && !large(i)) {
      file.put(start + places[i], 0, content, 0, content.length);
    }
  }

  /** A frame that is a dictionary; {@link #text} has not looked for it in the cache. */
  private byte[] base(int i) {
    byte[] content = plain[i];
    if (content == null) {
      content = new byte[length(i)];
      if (!copied(i, content)) {
        decodeFrame(i, content);
      }
      decoded = block == null;
      plain[i] = content;
    }
    return content;
  }

  private boolean copied(int i, byte[] content) {
    try (CachedBlock found = lookUp(i)) {
      if (found != null) {
        found.copy(0, content, 0, content.length);
      }
      return found != null;
    }
  }
}
