package io.millrace.agent;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** As much of a class file as tells the superclass. */
final class ClassFile {
  private static final int MAGIC = 0xCAFEBABE;
  private static final int POOL_SIZE_AT = 8;

  private ClassFile() {}

  /**
   * The internal name of the superclass.
   *
   * @return {@code null} where there is none, and for bytes that are no class file
   */
  static @Nullable String superclass(byte[] file) {
    try {
      return read(file);
    } catch (ArrayIndexOutOfBoundsException e) {
      return null; // cut short
    }
  }

  private static @Nullable String read(byte[] file) {
    if (number4(file, 0) != MAGIC) {
      return null;
    }
    int size = number2(file, POOL_SIZE_AT);
    int[] places = new int[size];
    int at = POOL_SIZE_AT + 2;
    for (int entry = 1; entry < size; entry++) {
      places[entry] = at;
      int tag = file[at];
      switch (tag) {
        case 1 -> at += 3 + number2(file, at + 1); // Utf8
        case 7, 8, 16, 19, 20 -> at += 3; // Class, String, MethodType, Module, Package
        case 15 -> at += 4; // MethodHandle
        case 3, 4, 9, 10, 11, 12, 17, 18 -> at += 5; // numbers of 4 bytes, pairs of entries
        case 5, 6 -> { // Long, Double: two entries
          at += 9;
          entry++;
        }
        default -> {
          return null;
        }
      }
    }
    // access flags, this class, superclass
    int parent = number2(file, at + 4);
    if (parent == 0) {
      return null;
    }
    int name = places[number2(file, places[parent] + 1)];
    return new String(file, name + 3, number2(file, name + 1), StandardCharsets.UTF_8);
  }

  private static int number2(byte[] file, int at) {
    return (file[at] & 0xff) << 8 | file[at + 1] & 0xff;
  }

  private static int number4(byte[] file, int at) {
    return number2(file, at) << 16 | number2(file, at + 2);
  }
}
