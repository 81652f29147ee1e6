package io.millrace.storage.columnarsource.bytes;

import io.millrace.kernel.text.LittleEndian;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * Distinct byte strings numbered in the order of their first sight: open addressing over one byte
 * array, about 12 bytes beside the text per entry.
 */
public final class SpanTable {
  /** The number of what is not there. */
  public static final int ABSENT = -1;

  private final ByteSink text;
  private int[] ends;
  private int[] hashes;
  private int[] slots;
  private int size;

  /** Grows beyond the expected number of entries. */
  public SpanTable(int expected) {
    text = new ByteSink(expected * 8);
    ends = new int[expected + 1];
    hashes = new int[expected];
    slots = new int[Integer.highestOneBit(Math.max(8, expected * 2 - 1)) * 2];
  }

  /** Entries. */
  public int size() {
    return size;
  }

  /** The text of all entries; an entry is {@link #length} bytes from {@link #start}. */
  public byte[] bytes() {
    return text.bytes;
  }

  /** Where an entry begins in {@link #bytes}. */
  public int start(int id) {
    return ends[id];
  }

  /** Bytes of an entry. */
  public int length(int id) {
    return ends[id + 1] - ends[id];
  }

  /** The hash of an entry, as {@link #hash(byte[], int, int)} gives it. */
  public int hash(int id) {
    return hashes[id];
  }

  /** Bytes of all entries together. */
  public int textLength() {
    return text.length;
  }

  /** Heap that it holds, bytes. */
  public long ramBytesUsed() {
    return text.bytes.length + 4L * (ends.length + hashes.length + slots.length);
  }

  /** Forgets all entries and keeps the memory. */
  public void clear() {
    if (size > 0) {
      Arrays.fill(slots, 0);
      size = 0;
      text.length = 0;
    }
  }

  /** The hash that {@link #find} and {@link #append} take. */
  public static int hash(byte[] bytes, int from, int length) {
    long h = length * 0x9E3779B97F4A7C15L;
    int i = from;
    int end = from + length;
    for (; i + 8 <= end; i += 8) {
      h = (h ^ LittleEndian.getLong(bytes, i)) * 0xBF58476D1CE4E5B9L;
      h ^= h >>> 32;
    }
    long tail = 0;
    for (; i < end; i++) {
      tail = tail << 8 | bytes[i] & 0xFF;
    }
    h = (h ^ tail) * 0x94D049BB133111EBL;
    return (int) (h ^ h >>> 32);
  }

  /** The number of a string, or {@link #ABSENT}. */
  public int find(byte[] bytes, int from, int length, int hash) {
    int mask = slots.length - 1;
    for (int slot = hash & mask; slots[slot] != 0; slot = slot + 1 & mask) {
      int id = slots[slot] - 1;
      if (hashes[id] == hash
          && Arrays.equals(text.bytes, ends[id], ends[id + 1], bytes, from, from + length)) {
        return id;
      }
    }
    return ABSENT;
  }

  /** The number of a string that is there, or is added now. */
  public int add(byte[] bytes, int from, int length) {
    int hash = hash(bytes, from, length);
    int id = find(bytes, from, length, hash);
    return id != ABSENT ? id : append(bytes, from, length, hash);
  }

  /** Adds a string that {@link #find} did not find. */
  public int append(byte[] bytes, int from, int length, int hash) {
    if (2 * (size + 1) > slots.length) {
      rehash();
    }
    int id = size++;
    ends = ArrayUtil.grow(ends, size + 1);
    hashes = ArrayUtil.grow(hashes, size);
    text.write(bytes, from, length);
    ends[size] = text.length;
    hashes[id] = hash;
    insert(id);
    return id;
  }

  private void rehash() {
    slots = new int[slots.length * 2];
    for (int id = 0; id < size; id++) {
      insert(id);
    }
  }

  private void insert(int id) {
    int mask = slots.length - 1;
    int slot = hashes[id] & mask;
    while (slots[slot] != 0) {
      slot = slot + 1 & mask;
    }
    slots[slot] = id + 1;
  }
}
