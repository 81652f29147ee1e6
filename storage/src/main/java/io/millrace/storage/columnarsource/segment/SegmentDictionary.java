package io.millrace.storage.columnarsource.segment;

import io.millrace.storage.columnarsource.bytes.SpanTable;
import io.millrace.storage.columnarsource.text.JsonShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Shapes and templates of the segment being written, and which of them are worth an entry.
 *
 * <p>Memory: at most {@value #MAX_TEXT} bytes of text for each of the two, the tables beside it,
 * and the sketch of templates seen once. A full dictionary takes nothing more: documents of other
 * shapes are kept as they are, other messages as text.
 */
public final class SegmentDictionary {
  /** A document without {@code _source}. */
  public static final int ABSENT = 0;

  /** A document kept as it is, in column 0. */
  public static final int RAW = 1;

  /** The number of the first shape in the segment's dictionary. */
  public static final int FIRST_SHAPE = 2;

  static final int MAX_SHAPES = 4096;
  static final int MAX_TEMPLATES = 32 * 1024;
  static final int MAX_TEXT = 2 << 20;
  private static final int SKETCH = 16 * 1024;
  private static final int[] RAW_COLUMN = {0};

  /** Shapes in the order of their numbers, from {@link #FIRST_SHAPE}. */
  public final SpanTable shapes = new SpanTable(16);

  final SpanTable templates = new SpanTable(256);
  private final List<int[]> columns = new ArrayList<>();
  private final Map<String, Integer> paths = new HashMap<>();
  private final int[] seenOnce = new int[SKETCH];
  private long pathBytes;

  /** Of a segment without documents. */
  public SegmentDictionary() {
    columns.add(new int[0]);
    columns.add(RAW_COLUMN);
    paths.put("", 0);
  }

  /** The number of a shape for blocks, {@link #RAW} if the dictionary is full. */
  public int shape(byte[] shape, int from, int length) {
    int hash = SpanTable.hash(shape, from, length);
    int id = shapes.find(shape, from, length, hash);
    if (id == SpanTable.ABSENT) {
      if (shapes.size() == MAX_SHAPES || shapes.textLength() + length > MAX_TEXT) {
        return RAW;
      }
      id = shapes.append(shape, from, length, hash);
      List<String> names = JsonShape.paths(shape, from, from + length);
      int[] own = new int[names.size()];
      for (int i = 0; i < own.length; i++) {
        String name = names.get(i);
        Integer known = paths.get(name);
        if (known == null) {
          known = paths.size();
          paths.put(name, known);
          pathBytes += 96 + 2L * name.length();
        }
        own[i] = known;
      }
      columns.add(own);
    }
    return id + FIRST_SHAPE;
  }

  /** The segment-wide column of each value of a shape. */
  public int[] columns(int shape) {
    return columns.get(shape);
  }

  /** Number of segment-wide columns so far. */
  public int columnCount() {
    return paths.size();
  }

  /**
   * The number of a template that is worth an entry: it is there, comes several times in this
   * block, or came before.
   *
   * @return {@link SpanTable#ABSENT} for any other, or when the dictionary is full
   */
  public int template(byte[] template, int from, int length, int hash, int sightsInBlock) {
    int id = templates.find(template, from, length, hash);
    if (id != SpanTable.ABSENT) {
      return id;
    }
    if (sightsInBlock < 2) {
      int slot = hash & SKETCH - 1;
      int print = hash | 1;
      if (seenOnce[slot] != print) {
        seenOnce[slot] = print;
        return SpanTable.ABSENT;
      }
    }
    return add(template, from, length, hash);
  }

  private int add(byte[] template, int from, int length, int hash) {
    if (templates.size() == MAX_TEMPLATES || templates.textLength() + length > MAX_TEXT) {
      return SpanTable.ABSENT;
    }
    return templates.append(template, from, length, hash);
  }

  /** The number of a template that a copied block refers to, or {@link SpanTable#ABSENT}. */
  public int copiedTemplate(byte[] template, int from, int length) {
    int hash = SpanTable.hash(template, from, length);
    int id = templates.find(template, from, length, hash);
    return id != SpanTable.ABSENT ? id : add(template, from, length, hash);
  }

  /** Heap that it holds, bytes. */
  public long ramBytesUsed() {
    return shapes.ramBytesUsed() + templates.ramBytesUsed() + 4L * SKETCH + pathBytes;
  }
}
