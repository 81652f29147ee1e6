package io.millrace.write.fastengine;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names that may stand in one mapped object, found by their bytes.
 *
 * <p>Also holds the dotted names that reach into objects below ({@code "host.name"}), which stock
 * resolves to the same fields (DocumentParser.getMapper at 3.8.0).
 */
final class ObjectNode {
  /** One name in one object. */
  static final class Child {
    final byte[] name;
    final @Nullable ObjectNode object;
    final @Nullable PlannedField field;
    private @Nullable ObjectNode parent;
    private int slot;

    /** With neither object nor field, a name whose values always go to stock. */
    Child(String name, @Nullable ObjectNode object, @Nullable PlannedField field) {
      this.name = name.getBytes(StandardCharsets.UTF_8);
      this.object = object;
      this.field = field;
    }

    /** Number of this name in its plan. */
    int slot() {
      return slot;
    }

    boolean in(ObjectNode node) {
      return parent == node;
    }

    /** Whether this name stands at a position, with the closing quote behind it. */
    boolean at(byte[] bytes, int from, int end) {
      int to = from + name.length;
      return to < end && bytes[to] == '"' && Arrays.equals(name, 0, name.length, bytes, from, to);
    }
  }

  private final Child[] table;
  private final int mask;
  private final int slot;
  private final boolean ignoresUnmapped;

  /**
   * @param children all names; those that JSON can only write with an escape are left out
   * @param firstSlot the first of {@code children.size() + 1} slots that belong to this node
   * @param ignoresUnmapped whether scalars under other names add nothing ({@code dynamic: false})
   */
  ObjectNode(List<Child> children, int firstSlot, boolean ignoresUnmapped) {
    this.ignoresUnmapped = ignoresUnmapped;
    int size = Integer.highestOneBit(Math.max(4, children.size() * 3)) << 1;
    table = new Child[size];
    mask = size - 1;
    slot = firstSlot;
    int next = firstSlot + 1;
    for (Child child : children) {
      child.parent = this;
      child.slot = next++;
      if (writtenPlainly(child.name)) {
        int i = hash(child.name, 0, child.name.length) & mask;
        while (table[i] != null) {
          i = i + 1 & mask;
        }
        table[i] = child;
      }
    }
  }

  /** The slot that stands for the beginning of this object. */
  int slot() {
    return slot;
  }

  /** Whether scalars under names that are not mapped add nothing to the document. */
  boolean ignoresUnmapped() {
    return ignoresUnmapped;
  }

  /** The child of the given name, or null. */
  @Nullable Child find(byte[] bytes, int offset, int length) {
    int i = hash(bytes, offset, length) & mask;
    for (Child child = table[i]; child != null; child = table[i = i + 1 & mask]) {
      if (Arrays.equals(child.name, 0, child.name.length, bytes, offset, offset + length)) {
        return child;
      }
    }
    return null;
  }

  private static int hash(byte[] bytes, int offset, int length) {
    int hash = length;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash ^ hash >>> 15;
  }

  private static boolean writtenPlainly(byte[] name) {
    for (byte b : name) {
      if (b == '"' || b == '\\' || (b >= 0 && b < ' ')) {
        return false;
      }
    }
    return name.length > 0;
  }
}
