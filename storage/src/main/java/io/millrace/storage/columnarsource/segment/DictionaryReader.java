package io.millrace.storage.columnarsource.segment;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.lucene.store.RandomAccessInput;

/** A segment's shapes and templates, read in place by one reader; see {@link Layout}. */
public final class DictionaryReader {
  /**
   * Where the texts lie: of all shapes, then of all templates. Shared by all readers of a segment;
   * shapes stay on the heap once they are used, while the node has room for them, templates do not.
   */
  public static final class Layout {
    private final TextPlaces shapes;
    private final TextPlaces templates;
    private final int textAt;
    private final AtomicReferenceArray<byte[]> held;
    private final ShapeBudget budget;
    private long heldBytes;
    private boolean closed;

    /**
     * @param textAt where the first text begins in what a reader gets
     */
    Layout(TextPlaces shapes, TextPlaces templates, int textAt, ShapeBudget budget) {
      this.shapes = shapes;
      this.templates = templates;
      this.textAt = textAt;
      this.budget = budget;
      this.held = new AtomicReferenceArray<>(shapes.count());
    }

    public int shapeCount() {
      return shapes.count();
    }

    public int templateCount() {
      return templates.count();
    }

    private synchronized void hold(int id, byte[] shape) {
      if (!closed && held.get(id) == null && budget.take(shape.length)) {
        heldBytes += shape.length;
        held.set(id, shape);
      }
    }

    /** Gives back what the segment's shapes take; its readers go on, and hold nothing more. */
    public synchronized void close() {
      closed = true;
      budget.giveBack(heldBytes);
      heldBytes = 0;
      for (int i = 0; i < held.length(); i++) {
        held.set(i, null);
      }
    }
  }

  private final Layout layout;
  private final RandomAccessInput file;

  /** For one thread; {@code file} begins with the number of shapes. */
  public DictionaryReader(Layout layout, RandomAccessInput file) {
    this.layout = layout;
    this.file = file;
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
    byte[] shape = layout.held.get(id);
    if (shape == null) {
      TextPlaces.Place place = layout.shapes.find(id, file);
      shape = new byte[place.length()];
      file.readBytes(layout.textAt + place.from(), shape, 0, shape.length);
      layout.hold(id, shape);
    }
    return shape;
  }

  /** Appends the text of a template. */
  public void template(int id, ByteSink out) throws IOException {
    TextPlaces.Place place = layout.templates.find(id, file);
    out.ensure(place.length());
    file.readBytes(layout.textAt + place.from(), out.bytes, out.length, place.length());
    out.length += place.length();
  }
}
