package io.millrace.storage.columnarsource;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.lucene.store.RandomAccessInput;

/** A segment's shapes and templates, read in place by one reader; see {@link Layout}. */
final class DictionaryReader {
  /**
   * Where the texts lie: of all shapes, then of all templates. Shared by all readers of a segment;
   * shapes stay on the heap once they are used, templates do not.
   */
  static final class Layout {
    private final int[] shapeEnds;
    private final int[] templateEnds;
    private final AtomicReferenceArray<byte[]> shapes;

    Layout(int[] shapeEnds, int[] templateEnds) {
      this.shapeEnds = shapeEnds;
      this.templateEnds = templateEnds;
      this.shapes = new AtomicReferenceArray<>(shapeEnds.length);
    }

    int shapeCount() {
      return shapeEnds.length;
    }

    int templateCount() {
      return templateEnds.length;
    }

    private int shapesEnd() {
      return shapeEnds.length == 0 ? 0 : shapeEnds[shapeEnds.length - 1];
    }
  }

  private final Layout layout;
  private final RandomAccessInput text;

  DictionaryReader(Layout layout, RandomAccessInput text) {
    this.layout = layout;
    this.text = text;
  }

  int shapeCount() {
    return layout.shapeCount();
  }

  int templateCount() {
    return layout.templateCount();
  }

  /** The text of a shape; not to be changed. */
  byte[] shape(int id) throws IOException {
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
  void template(int id, ByteSink out) throws IOException {
    int from = id == 0 ? layout.shapesEnd() : layout.templateEnds[id - 1];
    int length = layout.templateEnds[id] - from;
    out.ensure(length);
    text.readBytes(from, out.bytes, out.length, length);
    out.length += length;
  }
}
