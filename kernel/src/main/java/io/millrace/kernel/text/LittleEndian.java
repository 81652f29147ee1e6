package io.millrace.kernel.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Eight bytes of an array at once. */
public final class LittleEndian {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  /** Eight bytes from {@code at}, the lowest first. */
  public static long getLong(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  /** Writes eight bytes from {@code at}, the lowest first. */
  public static void putLong(byte[] bytes, int at, long value) {
    LONGS.set(bytes, at, value);
  }
}
