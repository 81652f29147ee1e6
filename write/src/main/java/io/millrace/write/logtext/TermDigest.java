package io.millrace.write.logtext;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/**
 * Which bytes follow one another in the tokens of a segment's field: for each {@link #BLOCK} tokens
 * in a row a filter of the groups of three bytes in them. What looks for a part of a token, as
 * {@code *part*} does, need not see the blocks whose filter lacks a group of the part. Most tokens
 * of logs are numbers and ids; their blocks lack what words are made of.
 *
 * <p>A filter errs on one side: a block that holds a group has it. Upper and lower case of ASCII
 * are the same. About 2 bytes a token.
 *
 * <p>Immutable.
 */
final class TermDigest {
  /** Tokens of a block. */
  static final int BLOCK = 64;

  /** Bytes that are looked for together. */
  static final int GROUP = 3;

  private static final int LONGS = 16; // of a block's filter
  private static final int HALF = LONGS * Long.SIZE / 2;
  private static final int TYPICAL_NAME = 12;
  private static final int MOST_NAMES = 1 << 30; // bytes of names in all

  private final long[] filters;
  private final byte[] names;
  private final int[] ends;

  private TermDigest(long[] filters, byte[] names, int[] ends) {
    this.filters = filters;
    this.names = names;
    this.ends = ends;
  }

  /** What a digest of so many tokens will take, about. */
  static long estimate(long tokens) {
    return (tokens / BLOCK + 1) * (8L * LONGS + 4 + TYPICAL_NAME);
  }

  static byte fold(byte b) {
    return b >= 'A' && b <= 'Z' ? (byte) (b | 0x20) : b;
  }

  /**
   * Groups of ids and numbers have one half of a filter, so that the other stays empty for words.
   */
  private static int group(byte one, byte two, byte three) {
    byte a = fold(one);
    byte b = fold(two);
    byte c = fold(three);
    int half = isHex(a) && isHex(b) && isHex(c) ? 0 : HALF;
    return half | ((a & 0xff) << 16 | (b & 0xff) << 8 | c & 0xff) * 0x9e3779b1 >>> 23;
  }

  private static boolean isHex(byte b) {
    return b >= '0' && b <= '9' || b >= 'a' && b <= 'f';
  }

  /** The groups in runs of bytes, each once, as {@link #mayHold} takes them. */
  static int[] groups(List<byte[]> runs) {
    return runs.stream()
        .flatMapToInt(run ->
            IntStream.rangeClosed(0, run.length - GROUP)
                .map(i -> group(run[i], run[i + 1], run[i + 2])))
        .distinct()
        .toArray();
  }

  int blocks() {
    return ends.length;
  }

  /** Whether a token of a block may hold all of the groups. */
  boolean mayHold(int block, int[] groups) {
    int from = block * LONGS;
    for (int group : groups) {
      if ((filters[from + (group >>> 6)] & 1L << group) == 0) {
        return false;
      }
    }
    return true;
  }

  /** No token before the block is as large, and all tokens of the block are. */
  BytesRef name(int block) {
    int from = block == 0 ? 0 : ends[block - 1];
    return new BytesRef(names, from, ends[block] - from);
  }

  /** What it holds in memory, in bytes. */
  long bytes() {
    return 64L + 8L * filters.length + names.length + 4L * ends.length;
  }

  /** Takes the tokens in order. */
  static final class Builder {
    private long[] filters = new long[LONGS];
    private byte[] names = new byte[256];
    private int[] ends = new int[16];
    private int blocks;
    private int inBlock = BLOCK;
    private int used;
    private boolean full;
    private byte[] last = new byte[64];
    private int lastLength;

    void add(BytesRef token) {
      if (inBlock == BLOCK) {
        begin(token);
        inBlock = 0;
      }
      if (++inBlock == BLOCK) {
        last = ArrayUtil.growNoCopy(last, token.length);
        System.arraycopy(token.bytes, token.offset, last, 0, token.length);
        lastLength = token.length;
      }
      byte[] bytes = token.bytes;
      int end = token.offset + token.length - GROUP;
      int from = (blocks - 1) * LONGS;
      for (int i = token.offset; i <= end; i++) {
        int group = group(bytes[i], bytes[i + 1], bytes[i + 2]);
        filters[from + (group >>> 6)] |= 1L << group;
      }
    }

    /** A block is named by as much of its first token as tells it from the token before. */
    private void begin(BytesRef token) {
      int same = blocks == 0 ? 0 : shared(token);
      int length = Math.min(token.length, same + 1);
      full |= used + length > MOST_NAMES;
      if (!full) {
        names = ArrayUtil.grow(names, used + length);
        System.arraycopy(token.bytes, token.offset, names, used, length);
        used += length;
      }
      ends = ArrayUtil.grow(ends, blocks + 1);
      ends[blocks++] = used;
      filters = ArrayUtil.grow(filters, blocks * LONGS);
    }

    private int shared(BytesRef token) {
      return StringHelper.bytesDifference(new BytesRef(last, 0, lastLength), token);
    }

    /** Null where it would be too large. */
    @Nullable TermDigest build() {
      return full
          ? null
          : new TermDigest(
              Arrays.copyOf(filters, blocks * LONGS),
              Arrays.copyOf(names, used),
              Arrays.copyOf(ends, blocks));
    }
  }
}
