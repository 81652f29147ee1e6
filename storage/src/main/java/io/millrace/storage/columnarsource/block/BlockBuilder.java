package io.millrace.storage.columnarsource.block;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.bytes.Spans;
import io.millrace.storage.columnarsource.column.ColumnEncoder;
import io.millrace.storage.columnarsource.column.TemplateEncoder;
import io.millrace.storage.columnarsource.section.PackedLongs;
import io.millrace.storage.columnarsource.section.SectionWriter;
import io.millrace.storage.columnarsource.segment.SegmentDictionary;
import io.millrace.storage.columnarsource.text.JsonShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.lucene.util.ArrayUtil;
import org.jspecify.annotations.Nullable;

/** Collects documents until they make a block, and encodes it; for one thread. */
public final class BlockBuilder implements AutoCloseable {
  /** Documents at which a block is closed. */
  public static final int MAX_DOCUMENTS = 2048;

  /** Bytes of documents at which a block is closed. */
  public static final int MAX_BYTES = 1 << 20;

  /**
   * Bytes from which a document has a block of its own: a read of a neighbour would else read,
   * check and hold the large one as well. Between two such documents a block of few small ones
   * costs some tens of bytes, which is nothing beside them.
   */
  public static final int ALONE = MAX_BYTES / 4;

  private final SegmentDictionary dictionary;
  private final SectionWriter out;
  private final TemplateEncoder templates;
  private final ColumnEncoder encoder;
  private final JsonShape split = new JsonShape();
  private final ByteSink plain = new ByteSink(64 * 1024);

  private final int[] shapeOf = new int[MAX_DOCUMENTS];
  private int documents;
  private boolean alone;
  private int lastShape;
  private @Nullable Spans[] columns = new Spans[64];
  private final List<Integer> used = new ArrayList<>();
  private int[] localColumn = new int[64];
  private int[] localShape = new int[64];
  private int[] shapes = new int[64];
  private final long[] ids = new long[MAX_DOCUMENTS];

  /** Writes at a zstd level, with the shapes and templates of one segment. */
  public BlockBuilder(SegmentDictionary dictionary, int level) {
    this.dictionary = dictionary;
    out = new SectionWriter(level);
    templates = new TemplateEncoder(out, dictionary);
    encoder = new ColumnEncoder(out, templates);
  }

  /** Documents that wait for {@link #encode}. */
  public int documents() {
    return documents;
  }

  /** Whether a document of this length must not join what waits. */
  public boolean startsWith(int length) {
    return length >= ALONE && documents > 0;
  }

  /** Whether the block is to be encoded before the next document. */
  public boolean full() {
    return alone || documents == MAX_DOCUMENTS || plain.length >= MAX_BYTES;
  }

  /** Takes a document that has no {@code _source}. */
  public void addAbsent() {
    shapeOf[documents++] = SegmentDictionary.ABSENT;
  }

  /** Takes a document; false if it is kept as it is. */
  public boolean add(byte[] source, int from, int length) {
    int start = plain.length;
    alone = length >= ALONE;
    plain.write(source, from, length);
    int shape = SegmentDictionary.RAW;
    if (split.split(plain.bytes, start, plain.length)) {
      if (!split.same) {
        lastShape = dictionary.shape(split.shape.bytes, 0, split.shape.length);
      }
      shape = lastShape;
    }
    shapeOf[documents++] = shape;
    if (shape == SegmentDictionary.RAW) {
      column(0).add(start, length);
      return false;
    }
    int[] holes = dictionary.columns(shape);
    for (int i = 0; i < holes.length; i++) {
      column(holes[i]).add(split.starts[i], split.ends[i] - split.starts[i]);
    }
    return true;
  }

  private Spans column(int id) {
    if (id >= columns.length) {
      columns = Arrays.copyOf(columns, ArrayUtil.oversize(dictionary.columnCount(), 8));
    }
    Spans column = columns[id];
    if (column == null) {
      column = new Spans(16);
      columns[id] = column;
    }
    if (column.count == 0) {
      used.add(id);
    }
    return column;
  }

  /**
   * Encodes what was collected and begins anew.
   *
   * @param block gets the block without its checksum
   */
  public void encode(ByteSink block) {
    out.reset();
    int shapeCount = numberShapes();
    PackedLongs.write(ids, documents, PackedLongs.plan(ids, documents), out.directory, out.packed);
    localColumn = ArrayUtil.grow(localColumn, dictionary.columnCount());
    for (int i = 0; i < used.size(); i++) {
      localColumn[used.get(i)] = i;
    }
    for (int s = 0; s < shapeCount; s++) {
      int[] holes = dictionary.columns(shapes[s]);
      out.directory.writeVInt(holes.length);
      for (int hole : holes) {
        out.directory.writeVInt(localColumn[hole]);
      }
    }
    out.directory.writeVInt(used.size());
    for (int id : used) {
      Spans column = column(id);
      out.directory.writeVInt(column.count);
      column.text = plain.bytes;
      if (id == 0) {
        encoder.text(column);
      } else {
        encoder.encode(column);
      }
    }
    block.writeVInt(documents);
    out.references(shapes, shapeCount, block);
    out.body(block);
    clear();
  }

  /** Fills {@link #ids} and {@link #shapes}; returns the number of shapes in the block. */
  private int numberShapes() {
    localShape = ArrayUtil.grow(localShape, dictionary.shapes.size() + 2);
    Arrays.fill(localShape, 0);
    int count = 0;
    for (int i = 0; i < documents; i++) {
      int shape = shapeOf[i];
      if (localShape[shape] == 0) {
        shapes = ArrayUtil.grow(shapes, count + 1);
        shapes[count++] = shape;
        localShape[shape] = count;
      }
      ids[i] = localShape[shape] - 1;
    }
    return count;
  }

  private void clear() {
    for (int id : used) {
      column(id).clear();
    }
    used.clear();
    documents = 0;
    alone = false;
    plain.reset(2 * MAX_BYTES);
  }

  /** CRC32 of a block, as it stands behind it. */
  public static int checksum(byte[] bytes, int from, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  /** Heap that it holds, bytes. */
  public long ramBytesUsed() {
    long spans = 0;
    for (Spans column : columns) {
      spans += column == null ? 0 : 8L * column.starts.length;
    }
    return plain.bytes.length
        + spans
        + out.ramBytesUsed()
        + templates.ramBytesUsed()
        + encoder.ramBytesUsed();
  }

  @Override
  public void close() {
    out.close();
  }
}
