package io.millrace.storage.columnarsource.section;

import io.millrace.kernel.text.LittleEndian;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.util.Arrays;
import org.apache.lucene.store.ByteArrayDataInput;

/**
 * Whole numbers in as many bits as most of them need above their minimum, the few larger ones as
 * exceptions; any one of them is read without the others.
 *
 * <p>Directory: minimum (zigzag vlong), width in bits (byte, 0 to 56 or 64), number of exceptions
 * (vint), and per exception the distance to the previous one's index (vint) and the bits above the
 * width (vlong). Packed section: {@code ceil(count * width / 8)} bytes, least significant bit
 * first.
 *
 * <p>The idea of exceptions: Zukowski, Heman, Nes, Boncz, "Super-Scalar RAM-CPU Cache Compression",
 * 2006 (PFOR).
 */
public final class PackedLongs {
  private static final int WIDEST = 56;
  private static final int EXCEPTION_BYTES = 3;

  /** Of one of these and the two arrays, without their values. */
  private static final int HEAP = 72;

  private final long minimum;
  private final int width;
  private final int[] exceptions;
  private final long[] high;
  private final int base;

  private PackedLongs(long minimum, int width, int[] exceptions, long[] high, int base) {
    this.minimum = minimum;
    this.width = width;
    this.exceptions = exceptions;
    this.high = high;
    this.base = base;
  }

  /** How a run of values is best written. */
  public record Plan(long minimum, int width, int exceptions, long bytes) {}

  /** The shortest way to write the first {@code count} values. */
  public static Plan plan(long[] values, int count) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      min = Math.min(min, values[i]);
      max = Math.max(max, values[i]);
    }
    if (count == 0) {
      return new Plan(0, 0, 0, 0);
    }
    int widest = 64 - Long.numberOfLeadingZeros(max - min);
    int[] needing = new int[65];
    for (int i = 0; i < count; i++) {
      needing[64 - Long.numberOfLeadingZeros(values[i] - min)]++;
    }
    int width = widest > WIDEST ? 64 : widest;
    int exceptions = 0;
    long bytes = ((long) count * width + 7) / 8;
    int above = 0;
    for (int w = Math.min(widest, WIDEST + 1) - 1; w >= 0; w--) {
      above += needing[w + 1];
      if (w == WIDEST) {
        for (int i = WIDEST + 2; i <= 64; i++) {
          above += needing[i];
        }
      }
      long cost = ((long) count * w + 7) / 8 + (long) above * (EXCEPTION_BYTES + (widest - w) / 7);
      if (cost < bytes) {
        bytes = cost;
        width = w;
        exceptions = above;
      }
      if (above > count / 8) {
        break;
      }
    }
    return new Plan(min, width, exceptions, bytes + 4);
  }

  /** Writes values as planned. */
  public static void write(
      long[] values, int count, Plan plan, ByteSink directory, ByteSink packed) {
    int width = plan.width;
    directory.writeZLong(plan.minimum);
    directory.writeByte(width);
    directory.writeVInt(plan.exceptions);
    if (width == 64) {
      packed.ensure(8 * count);
      for (int i = 0; i < count; i++) {
        LittleEndian.putLong(packed.bytes, packed.length, values[i] - plan.minimum);
        packed.length += 8;
      }
      return;
    }
    if (plan.exceptions > 0) {
      int previous = 0;
      for (int i = 0; i < count; i++) {
        long rest = values[i] - plan.minimum >>> width;
        if (rest != 0) {
          directory.writeVInt(i - previous);
          directory.writeVLong(rest);
          previous = i;
        }
      }
    }
    if (width == 0) {
      return;
    }
    packed.ensure((int) (((long) count * width + 7) / 8) + 8);
    long mask = (1L << width) - 1;
    long pending = 0;
    int bits = 0;
    byte[] out = packed.bytes;
    int at = packed.length;
    for (int i = 0; i < count; i++) {
      pending |= (values[i] - plan.minimum & mask) << bits;
      bits += width;
      while (bits >= 8) {
        out[at++] = (byte) pending;
        pending >>>= 8;
        bits -= 8;
      }
    }
    if (bits > 0) {
      out[at++] = (byte) pending;
    }
    packed.length = at;
  }

  /** Reads a directory entry and takes its bytes off the packed section. */
  public static PackedLongs read(ByteArrayDataInput directory, SectionReader sections, int count) {
    long minimum = SectionReader.readZLong(directory);
    int width = directory.readByte();
    int size = directory.readVInt();
    if (width < 0 || width > WIDEST && width != 64 || size < 0 || size > count) {
      throw new IllegalStateException(width + " bits, " + size + " exceptions of " + count);
    }
    int[] exceptions = new int[size];
    long[] high = new long[size];
    int index = 0;
    for (int i = 0; i < size; i++) {
      index += directory.readVInt();
      exceptions[i] = index;
      high[i] = SectionReader.readVLong(directory) << width;
    }
    int base = sections.takePacked(((long) count * width + 7) / 8);
    sections.charge(HEAP + 12L * size);
    return new PackedLongs(minimum, width, exceptions, high, base);
  }

  /** An upper bound of the values that are not negative. */
  public long most() {
    long above = width == 64 ? Long.MAX_VALUE : (1L << width) - 1;
    for (long bits : high) {
      above |= bits;
    }
    long most = minimum + above;
    return above < 0 || most < 0 ? Long.MAX_VALUE : most;
  }

  /** The value with a number. */
  public long get(SectionReader sections, int index) {
    long value = 0;
    if (width == 64) {
      value = sections.getLong(base + 8 * index);
    } else if (width > 0) {
      long bit = (long) index * width;
      value = sections.getLong(base + (int) (bit >>> 3)) >>> (bit & 7) & (1L << width) - 1;
    }
    if (exceptions.length > 0) {
      int found = Arrays.binarySearch(exceptions, index);
      if (found >= 0) {
        value |= high[found];
      }
    }
    return minimum + value;
  }
}
