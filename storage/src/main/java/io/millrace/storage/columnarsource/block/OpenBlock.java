package io.millrace.storage.columnarsource.block;

import io.millrace.kernel.slot.OutlinedSource;
import io.millrace.kernel.slot.PartialSource;
import io.millrace.kernel.slot.SourceOutlines;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.column.BlockTemplates;
import io.millrace.storage.columnarsource.column.Column;
import io.millrace.storage.columnarsource.section.PackedLongs;
import io.millrace.storage.columnarsource.section.SectionReader;
import io.millrace.storage.columnarsource.segment.DictionaryReader;
import io.millrace.storage.columnarsource.segment.SegmentDictionary;
import io.millrace.storage.columnarsource.text.JsonShape;
import io.millrace.storage.columnarsource.text.PartialShape;
import io.millrace.storage.offheapcache.BlockFile;
import io.millrace.storage.offheapcache.CachedBlock;
import io.millrace.storage.zstandard.DecompressionContexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.lucene.store.ByteArrayDataInput;
import org.jspecify.annotations.Nullable;

/**
 * A block whose directory has been read: puts its documents together, in any order, and remembers
 * how far it came.
 *
 * <p>For one thread at a time: a cursor has one of its own, whose bytes are an array. One that is
 * kept beside a cached block is shared by cursors, which {@link #lock} it for a document each.
 *
 * <p>Methods throw exceptions of array accesses and IllegalStateException if the block is damaged.
 */
final class OpenBlock {
  private static final int STEP = 8;
  private static final int MARK = 64;
  private static final int MOST_MARKED_SHAPES = 64;

  /** Of the object with its sections, without arrays. */
  private static final int HEAP = 512;

  private final ReentrantLock lock = new ReentrantLock();
  private final SectionReader sections;
  private final BlockTemplates templates = new BlockTemplates();

  private int documents;
  private int[] shapes = {};
  private int shapeCount;
  private int[] references = {};
  private int referenceCount;
  private int bodyStart;

  private PackedLongs ids;
  private int[][] holes = {};
  private Column[] columns = {};
  private @Nullable DictionaryReader dictionary;

  // what lies before document `at`: documents of each shape, values of each column
  private int at;
  private int[] shapeDocuments = {};
  private int[] before = {};

  private final BlockOutlines outlines = new BlockOutlines();
  private int number;
  private int first;

  // documents of each shape before every MARK documents, as far as somebody has counted
  private int[] marks = {};
  private int marked;

  @SuppressWarnings("NullAway.Init")
  OpenBlock(DecompressionContexts contexts) {
    sections = new SectionReader(contexts);
  }

  /**
   * Reads what stands before the body.
   *
   * @param newNumber of the block in the segment
   * @param newFirst its first document
   */
  void head(
      byte[] block,
      int length,
      int newNumber,
      int newFirst,
      int expectedDocuments,
      DictionaryReader own) {
    number = newNumber;
    first = newFirst;
    ByteArrayDataInput in = new ByteArrayDataInput(block, 0, length);
    documents = in.readVInt();
    SectionReader.require(documents == expectedDocuments, "documents", documents);
    shapeCount = in.readVInt();
    SectionReader.require(shapeCount > 0 && shapeCount <= documents, "shapes", shapeCount);
    shapes = references(in, shapes, shapeCount);
    for (int i = 0; i < shapeCount; i++) {
      SectionReader.require(
          shapes[i] >= 0 && shapes[i] < own.shapeCount() + SegmentDictionary.FIRST_SHAPE,
          "shape",
          shapes[i]);
    }
    referenceCount = in.readVInt();
    SectionReader.require(
        referenceCount >= 0 && referenceCount <= length, "templates", referenceCount);
    references = references(in, references, referenceCount);
    for (int i = 0; i < referenceCount; i++) {
      SectionReader.require(
          references[i] >= 0 && references[i] < own.templateCount(), "template", references[i]);
    }
    bodyStart = in.getPosition();
  }

  private static int[] references(ByteArrayDataInput in, int[] reuse, int count) {
    int[] ids = reuse.length < count ? new int[count + 16] : reuse;
    for (int i = 0; i < count; i++) {
      ids[i] = in.readVInt();
    }
    return ids;
  }

  /**
   * Reads the body's directory.
   *
   * @param file takes and gives decoded text; null if there is no cache
   * @param position of the block in the file
   */
  void body(
      byte[] block, int length, DictionaryReader own, @Nullable BlockFile file, long position) {
    sections.open(block, bodyStart, length, file, position);
    templates.open(references, referenceCount);
    useDictionary(own);
    ByteArrayDataInput in = sections.directory;
    ids = PackedLongs.read(in, sections, documents);
    if (holes.length < shapeCount) {
      holes = new int[shapeCount + 8][];
      shapeDocuments = new int[shapeCount + 8];
    }
    long values = 0;
    for (int s = 0; s < shapeCount; s++) {
      int count = in.readVInt();
      SectionReader.require(count >= 0 && count <= JsonShape.MAX_HOLES, "values", count);
      holes[s] = new int[count];
      values += count;
      for (int i = 0; i < count; i++) {
        holes[s][i] = in.readVInt();
      }
    }
    int columnCount = in.readVInt();
    SectionReader.require(columnCount >= 0 && columnCount <= length, "columns", columnCount);
    columns = new Column[columnCount];
    for (int i = 0; i < columnCount; i++) {
      int count = in.readVInt();
      SectionReader.require(count > 0, "values", count);
      columns[i] = Column.read(sections, templates, count);
    }
    if (before.length < columnCount) {
      before = new int[columnCount + 8];
    }
    marked = 0;
    outlines.clear();
    rewind();
    int counted = shapeCount <= MOST_MARKED_SHAPES ? shapeCount * (documents / MARK + 1) : 0;
    sections.charge(
        HEAP
            + 2L * documents
            + 4L * (referenceCount + counted + values)
            + 32L * shapeCount
            + 12L * columnCount);
  }

  private void useDictionary(@Nullable DictionaryReader own) {
    dictionary = own;
    templates.use(own);
  }

  /** Makes this the view of a cached block: its bytes are read there, within lock and unlock. */
  void leaveArray() {
    sections.leaveArray();
    useDictionary(null);
  }

  /** Reads the cached block until {@link #unlock}; the caller has pinned it. */
  void lock(CachedBlock image, DictionaryReader own) {
    lock.lock();
    sections.use(image);
    useDictionary(own);
  }

  void unlock() {
    useDictionary(null);
    sections.release();
    lock.unlock();
  }

  /** Heap that it takes as the view of a cached block, bytes. */
  long heap() {
    return sections.heap();
  }

  private void rewind() {
    at = 0;
    Arrays.fill(shapeDocuments, 0);
    Arrays.fill(before, 0);
  }

  /** Counts what lies before a document. */
  private void moveTo(int index) {
    if (index < at) {
      rewind();
    }
    if (index - at <= STEP) {
      while (at < index) {
        int s = (int) ids.get(sections, at++);
        shapeDocuments[s]++;
        for (int column : holes[s]) {
          before[column]++;
        }
      }
      return;
    }
    count(index);
    Arrays.fill(before, 0);
    for (int s = 0; s < shapeCount; s++) {
      if (shapeDocuments[s] > 0) {
        for (int column : holes[s]) {
          before[column] += shapeDocuments[s];
        }
      }
    }
  }

  private void count(int index) {
    if (shapeCount == 1) {
      shapeDocuments[0] = index;
      at = index;
      return;
    }
    int mark = Math.min(index / MARK, marked);
    if (mark * MARK > at) {
      at = mark * MARK;
      System.arraycopy(marks, (mark - 1) * shapeCount, shapeDocuments, 0, shapeCount);
    }
    while (at < index) {
      shapeDocuments[(int) ids.get(sections, at++)]++;
      if (at % MARK == 0 && at / MARK == marked + 1 && shapeCount <= MOST_MARKED_SHAPES) {
        mark();
      }
    }
  }

  private void mark() {
    int needed = shapeCount * (documents / MARK + 1);
    if (marks.length < needed) {
      marks = Arrays.copyOf(marks, needed);
    }
    System.arraycopy(shapeDocuments, 0, marks, marked * shapeCount, shapeCount);
    marked++;
  }

  /**
   * Appends a document.
   *
   * @param index its place in the block
   * @param some null for all of it
   * @return false if it has no {@code _source}, or its outline decides and nothing was appended
   */
  boolean append(int index, @Nullable PartialSource some, PartialShapes partials, ByteSink out) {
    moveTo(index);
    int local = (int) ids.get(sections, index);
    int shape = shapes[local];
    int[] own = holes[local];
    shapeDocuments[local]++;
    at = index + 1;
    if (shape == SegmentDictionary.ABSENT) {
      return false;
    }
    if (shape == SegmentDictionary.RAW) {
      value(own[0], out);
      return true;
    }
    int id = shape - SegmentDictionary.FIRST_SHAPE;
    byte[] text = shapeText(id);
    PartialShape partial = some == null ? null : partials.of(id, text, some);
    if (partial == null) {
      put(text, text.length, own, null, out);
    } else if (some instanceof OutlinedSource asking
        && isDecided(index, local, partial, asking, partials)) {
      for (int column : own) {
        before[column]++;
      }
      return false;
    } else {
      put(partial.left().bytes, partial.left().length, own, partial, out);
    }
    return true;
  }

  /** Tells who asks the answer, if the document's outline, or its holes, give one. */
  private boolean isDecided(
      int index, int local, PartialShape partial, OutlinedSource asking, PartialShapes partials) {
    int hole = partial.onlyString();
    int[] own = holes[local];
    if (hole < 0 || hole >= own.length) {
      return false;
    }
    Column column = columns[own[hole]];
    int value = before[own[hole]];
    int template = column.template(value);
    if (template == 0) {
      return false;
    }
    int shape = shapes[local] - SegmentDictionary.FIRST_SHAPE;
    OutlineAnswers answers = partials.answers(shape, partial, dictionary().templateCount());
    int place = column.place(template);
    int answer = answers.of(place, partial, asking, dictionary());
    byte known = BlockOutlines.known(answer, column, template);
    boolean byHoles =
        answer == OutlinedSource.BY_HOLES
            && column.longestVariable(template) <= OutlinedSource.LONGEST_HOLE;
    if (known != SourceOutlines.UNKNOWN) {
      asking.decided(known == SourceOutlines.HOLDS);
    } else if (byHoles) {
      asking.decided(outlines.holds(answers.condition(place), column, value));
    }
    tellOutlines(local, own[hole], answers, asking, partials);
    SourceOutlines told = partials.told();
    if (told != null && known != SourceOutlines.UNKNOWN) {
      told.learn(index, known == SourceOutlines.HOLDS);
    }
    return known != SourceOutlines.UNKNOWN || byHoles;
  }

  /** Tells who asks about the whole block, once it reads many of its documents. */
  private void tellOutlines(
      int local,
      int column,
      OutlineAnswers answers,
      OutlinedSource asking,
      PartialShapes partials) {
    boolean many = partials.readsMany(number, outlines.know(local, column));
    if (!many || shapeCount > MOST_MARKED_SHAPES) {
      return;
    }
    Column messages = columns[column];
    short[] all =
        outlines.of(
            local, column, messages, documents, i -> (int) ids.get(sections, i), holes, shapeCount);
    partials.tell(BlockOutlines.tell(first, all, answers, messages, asking));
  }

  /**
   * Puts the values into a shape.
   *
   * @param partial null if the shape has all of them
   */
  private void put(
      byte[] text, int length, int[] own, @Nullable PartialShape partial, ByteSink out) {
    SectionReader.require(partial == null || partial.holes() == own.length, "holes", own.length);
    int hole = 0;
    int literal = 0;
    for (int i = 0; i < length; i++) {
      byte c = text[i];
      if (c != JsonShape.STRING && c != JsonShape.BARE) {
        continue;
      }
      out.write(text, literal, i - literal);
      literal = i + 1;
      while (partial != null && !partial.keeps(hole)) {
        before[own[hole++]]++;
      }
      if (c == JsonShape.STRING) {
        out.writeByte('"');
      }
      value(own[hole++], out);
      if (c == JsonShape.STRING) {
        out.writeByte('"');
      }
    }
    out.write(text, literal, length - literal);
    while (partial != null && hole < own.length) {
      before[own[hole++]]++;
    }
    SectionReader.require(hole == own.length, "holes", hole);
  }

  private void value(int column, ByteSink out) {
    columns[column].append(before[column]++, out);
  }

  private DictionaryReader dictionary() {
    return Objects.requireNonNull(dictionary, "the block is not in use");
  }

  private byte[] shapeText(int id) {
    try {
      return dictionary().shape(id);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int documents() {
    return documents;
  }

  int shapeCount() {
    return shapeCount;
  }

  int shape(int i) {
    return shapes[i];
  }

  int templateCount() {
    return referenceCount;
  }

  int template(int i) {
    return references[i];
  }

  /** Where the part begins that names nothing outside of the block. */
  int bodyStart() {
    return bodyStart;
  }
}
