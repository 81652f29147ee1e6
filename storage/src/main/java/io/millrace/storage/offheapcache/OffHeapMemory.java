package io.millrace.storage.offheapcache;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory outside the heap that goes back to the operating system when it is closed, not when a
 * garbage collector finds it.
 *
 * <p>Why not {@code ByteBuffer.allocateDirect}: such memory is freed by the collector, so that
 * switching the cache off would give nothing back for hours. Arenas free at once. They are final
 * since JDK 22 and a preview in 21, our source level: {@code javac --release 21} refuses their
 * names, the virtual machine does not ask for {@code --enable-preview} to call them (JEP 12 marks
 * class files, not calls). So the four methods are found by name once, and everything else sees
 * plain buffers. No restricted method is called: {@code --enable-native-access} is not needed.
 *
 * <p>Arena memory counts towards {@code -XX:MaxDirectMemorySize}, as direct buffers do; {@link
 * BlockCache} stays below it.
 */
final class OffHeapMemory implements AutoCloseable {
  private final Object arena;
  private final List<ByteBuffer> slabs = new ArrayList<>();
  private long bytes;

  OffHeapMemory() {
    arena = Arenas.open();
  }

  /**
   * Takes one more piece of memory, filled with zeros.
   *
   * @throws OutOfMemoryError if the direct memory of the JVM is used up
   */
  void grow(int size) {
    slabs.add(Arenas.allocate(arena, size).order(ByteOrder.LITTLE_ENDIAN));
    bytes += size;
  }

  ByteBuffer slab(int number) {
    return slabs.get(number);
  }

  long bytes() {
    return bytes;
  }

  /** Gives everything back; any later access to a slab fails with IllegalStateException. */
  @Override
  public void close() {
    Arenas.close(arena);
    slabs.clear();
    bytes = 0;
  }

  /** java.lang.foreign.Arena by name; see the class comment. */
  private static final class Arenas {
    private static final MethodHandle OPEN;
    private static final MethodHandle ALLOCATE;
    private static final MethodHandle AS_BUFFER;
    private static final MethodHandle CLOSE;

    static {
      try {
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        Class<?> arena = Class.forName("java.lang.foreign.Arena");
        Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
        OPEN =
            lookup
                .findStatic(arena, "ofShared", MethodType.methodType(arena))
                .asType(MethodType.methodType(Object.class));
        ALLOCATE =
            lookup
                .findVirtual(
                    arena, "allocate", MethodType.methodType(segment, long.class, long.class))
                .asType(MethodType.methodType(Object.class, Object.class, long.class, long.class));
        AS_BUFFER =
            lookup
                .findVirtual(segment, "asByteBuffer", MethodType.methodType(ByteBuffer.class))
                .asType(MethodType.methodType(ByteBuffer.class, Object.class));
        CLOSE =
            lookup
                .findVirtual(arena, "close", MethodType.methodType(void.class))
                .asType(MethodType.methodType(void.class, Object.class));
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("this JVM has no java.lang.foreign.Arena: JDK 21 is needed", e);
      }
    }

    static Object open() {
      try {
        return (Object) OPEN.invokeExact();
      } catch (Throwable e) {
        throw sneaky(e);
      }
    }

    static ByteBuffer allocate(Object arena, long size) {
      try {
        return (ByteBuffer) AS_BUFFER.invokeExact((Object) ALLOCATE.invokeExact(arena, size, 64L));
      } catch (Throwable e) {
        throw sneaky(e);
      }
    }

    static void close(Object arena) {
      try {
        CLOSE.invokeExact(arena);
      } catch (Throwable e) {
        throw sneaky(e);
      }
    }

    /** The four methods declare no checked exception. */
    private static RuntimeException sneaky(Throwable e) {
      if (e instanceof Error error) {
        throw error;
      }
      return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }
  }
}
