package io.millrace.storage.columnarsource.segment;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.lucene.store.RandomAccessInput;

/** A segment's shapes and templates, read in place by one reader; see {@link Layout}. */
public final class DictionaryReader {
  /**
   * Where the texts lie: of all shapes, then of all templates. Shared by all readers of a segment;
   * shapes stay on the heap once they are used, templates do not.
   */
  public static final class Layout {
    private final int[] shapeEnds;
    private final int[] templateEnds;
    private final AtomicReferenceArray<byte[]> shapes;

    Layout(int[] shapeEnds, int[] templateEnds) {
      this.shapeEnds = shapeEnds;
      this.templateEnds = templateEnds;
      this.shapes = new AtomicReferenceArray<>(shapeEnds.length);
    }

    public int shapeCount() {
      return shapeEnds.length;
    }

    public int templateCount() {
      return templateEnds.length;
    }

    private int shapesEnd() {
      return shapeEnds.length == 0 ? 0 : shapeEnds[shapeEnds.length - 1];
    }
  }

  private final Layout layout;
  private final RandomAccessInput text;

  /** For one thread; {@code text} holds the texts from its first byte. */
  public DictionaryReader(Layout layout, RandomAccessInput text) {
    this.layout = layout;
    this.text = text;
  }

  /** Shapes of the segment. */
  public int shapeCount() {
    return layout.shapeCount();
  }

  /** Templates of the segment. */
  public int templateCount() {
    return layout.templateCount();
  }

  /** The text of a shape; not to be changed. */
  public byte[] shape(int id) throws IOException {
    byte[] shape = layout.shapes.get(id);
    if (shape == null) {
      int from = id == 0 ? 0 : layout.shapeEnds[id - 1];
      shape = new byte[layout.shapeEnds[id] - from];
      text.readBytes(from, shape, 0, shape.length);
      layout.shapes.set(id, shape);
    }
    return shape;
  }

  /** Appends the text of a template. */
  public void template(int id, ByteSink out) throws IOException {
    int from = id == 0 ? layout.shapesEnd() : layout.templateEnds[id - 1];
    int length = layout.templateEnds[id] - from;
    out.ensure(length);
    text.readBytes(from, out.bytes, out.length, length);
    out.length += length;
  }
}
