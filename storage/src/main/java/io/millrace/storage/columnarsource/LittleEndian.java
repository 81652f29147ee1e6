package io.millrace.storage.columnarsource;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Eight bytes of an array at once. */
final class LittleEndian {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  static long getLong(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  static void putLong(byte[] bytes, int at, long value) {
    LONGS.set(bytes, at, value);
  }
}
