package io.millrace.storage.columnarsource.block;

import io.millrace.kernel.slot.PartialSource;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.bytes.LittleEndian;
import io.millrace.storage.columnarsource.column.BlockTemplates;
import io.millrace.storage.columnarsource.column.Column;
import io.millrace.storage.columnarsource.section.PackedLongs;
import io.millrace.storage.columnarsource.section.SectionReader;
import io.millrace.storage.columnarsource.segment.DictionaryReader;
import io.millrace.storage.columnarsource.segment.SegmentDictionary;
import io.millrace.storage.columnarsource.segment.SegmentLayout;
import io.millrace.storage.columnarsource.text.JsonShape;
import io.millrace.storage.columnarsource.text.PartialShape;
import io.millrace.storage.zstandard.DecompressionContexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents of a segment for one thread; holds the block it read last, so that neighbours are
 * read from it.
 *
 * <p>A block's checksum is checked before anything in it is believed. The checks behind it (lengths
 * within sections, Java's own array bounds) are a second line: whatever they throw becomes {@link
 * CorruptIndexException}.
 */
public final class BlockCursor {
  private static final int SPARE = 8;
  private static final int STEP = 8;
  private static final int KEEP = 4 << 20;
  private static final int MOST_PARTIALS = 64;

  private final SegmentLayout layout;
  private final IndexInput data;
  private final DictionaryReader dictionary;
  private final SourceCounters counters;
  private final SectionReader sections;
  private final BlockTemplates templates;

  private int opened = -1;
  private byte[] block = {};
  private int blockLength;
  private int documents;
  private int[] shapes = {};
  private int shapeCount;
  private int[] references = {};
  private int referenceCount;
  private int bodyStart;

  private PackedLongs ids;
  private int[][] holes = {};
  private Column[] columns = {};

  // what lies before document `at`: documents of each shape, values of each column
  private int at;
  private int[] shapeDocuments = {};
  private int[] before = {};

  private @Nullable PartialSource wanted;
  private final Map<Integer, @Nullable PartialShape> partials = new HashMap<>();

  @SuppressWarnings("NullAway.Init")
  public BlockCursor(
      SegmentLayout layout,
      IndexInput data,
      DictionaryReader dictionary,
      DecompressionContexts contexts,
      SourceCounters counters) {
    this.layout = layout;
    this.data = data;
    this.dictionary = dictionary;
    this.counters = counters;
    sections = new SectionReader(contexts);
    templates = new BlockTemplates(dictionary);
  }

  /**
   * Appends a document's {@code _source}.
   *
   * @return false if the document has none
   * @throws CorruptIndexException if the block is damaged
   */
  public boolean read(int document, ByteSink out) throws IOException {
    return read(document, null, out);
  }

  /**
   * Appends a document's {@code _source}, or of its top the fields that are wanted. The values of
   * others are not decoded.
   *
   * @param some null for all of it, byte for byte
   * @return false if the document has none
   * @throws CorruptIndexException if the block is damaged
   */
  public boolean read(int document, @Nullable PartialSource some, ByteSink out) throws IOException {
    int wanted = layout.blockOf(document);
    if (wanted != opened) {
      load(wanted);
    }
    try {
      if (wanted != opened) {
        openBody();
        opened = wanted;
      }
      return append(document - layout.firstDocuments()[wanted], some, out);
    } catch (RuntimeException e) {
      opened = -1;
      throw damaged(wanted, e);
    }
  }

  private IOException damaged(int wanted, RuntimeException cause) {
    if (cause instanceof AlreadyClosedException) {
      throw cause;
    }
    if (cause instanceof UncheckedIOException unchecked && unchecked.getCause() != null) {
      return unchecked.getCause();
    }
    counters.damagedBlocks.increment();
    return new CorruptIndexException(
        "block " + wanted + " of _source is damaged: " + cause, data, cause);
  }

  /** Reads a block and its references without its body; for copies. */
  public void load(int wanted) throws IOException {
    opened = -1;
    int length = layout.length(wanted);
    if (block.length < length + SPARE || block.length > KEEP && length < KEEP / 2) {
      block = new byte[length + SPARE];
    }
    data.seek(layout.pointers()[wanted]);
    data.readBytes(block, 0, length);
    counters.blocksRead.increment();
    blockLength = length - Integer.BYTES;
    if (blockLength <= 0
        || BlockBuilder.checksum(block, 0, blockLength)
            != (int) LittleEndian.getLong(block, blockLength)) {
      counters.damagedBlocks.increment();
      throw new CorruptIndexException("checksum of block " + wanted + " of _source", data);
    }
    try {
      ByteArrayDataInput in = new ByteArrayDataInput(block, 0, blockLength);
      documents = in.readVInt();
      SectionReader.require(documents == layout.documents(wanted), "documents", documents);
      shapeCount = in.readVInt();
      SectionReader.require(shapeCount > 0 && shapeCount <= documents, "shapes", shapeCount);
      shapes = references(in, shapes, shapeCount);
      for (int i = 0; i < shapeCount; i++) {
        SectionReader.require(
            shapes[i] >= 0 && shapes[i] < dictionary.shapeCount() + SegmentDictionary.FIRST_SHAPE,
            "shape",
            shapes[i]);
      }
      referenceCount = in.readVInt();
      SectionReader.require(
          referenceCount >= 0 && referenceCount <= blockLength, "templates", referenceCount);
      references = references(in, references, referenceCount);
      for (int i = 0; i < referenceCount; i++) {
        SectionReader.require(
            references[i] >= 0 && references[i] < dictionary.templateCount(),
            "template",
            references[i]);
      }
      bodyStart = in.getPosition();
    } catch (RuntimeException e) {
      throw damaged(wanted, e);
    }
  }

  private static int[] references(ByteArrayDataInput in, int[] reuse, int count) {
    int[] ids = reuse.length < count ? new int[count + 16] : reuse;
    for (int i = 0; i < count; i++) {
      ids[i] = in.readVInt();
    }
    return ids;
  }

  private void openBody() {
    sections.open(block, bodyStart, blockLength);
    templates.open(references, referenceCount);
    ByteArrayDataInput in = sections.directory;
    ids = PackedLongs.read(in, sections, documents);
    if (holes.length < shapeCount) {
      holes = new int[shapeCount + 8][];
      shapeDocuments = new int[shapeCount + 8];
    }
    for (int s = 0; s < shapeCount; s++) {
      int count = in.readVInt();
      SectionReader.require(count >= 0 && count <= JsonShape.MAX_HOLES, "values", count);
      holes[s] = new int[count];
      for (int i = 0; i < count; i++) {
        holes[s][i] = in.readVInt();
      }
    }
    int columnCount = in.readVInt();
    SectionReader.require(columnCount >= 0 && columnCount <= blockLength, "columns", columnCount);
    columns = new Column[columnCount];
    for (int i = 0; i < columnCount; i++) {
      int values = in.readVInt();
      SectionReader.require(values > 0, "values", values);
      columns[i] = Column.read(sections, templates, values);
    }
    if (before.length < columnCount) {
      before = new int[columnCount + 8];
    }
    rewind();
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
        int s = (int) ids.get(block, at++);
        shapeDocuments[s]++;
        for (int column : holes[s]) {
          before[column]++;
        }
      }
      return;
    }
    if (shapeCount == 1) {
      shapeDocuments[0] = index;
      at = index;
    }
    while (at < index) {
      shapeDocuments[(int) ids.get(block, at++)]++;
    }
    Arrays.fill(before, 0);
    for (int s = 0; s < shapeCount; s++) {
      if (shapeDocuments[s] > 0) {
        for (int column : holes[s]) {
          before[column] += shapeDocuments[s];
        }
      }
    }
  }

  private boolean append(int index, @Nullable PartialSource some, ByteSink out) {
    moveTo(index);
    int local = (int) ids.get(block, index);
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
    PartialShape partial = some == null ? null : partial(id, text, some);
    if (partial == null) {
      put(text, text.length, own, null, out);
    } else {
      put(partial.left().bytes, partial.left().length, own, partial, out);
    }
    return true;
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

  /** Hits of one request mostly share a few shapes. */
  private @Nullable PartialShape partial(int shape, byte[] text, PartialSource some) {
    if (wanted != some || partials.size() >= MOST_PARTIALS) {
      partials.clear();
      wanted = some;
    }
    // what is no object is asked for again: its source is broken JSON
    return partials.computeIfAbsent(shape, id -> PartialShape.of(text, some));
  }

  private void value(int column, ByteSink out) {
    columns[column].append(before[column]++, out);
  }

  private byte[] shapeText(int id) {
    try {
      return dictionary.shape(id);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // what a copy needs of the block that was loaded

  /** Documents of the loaded block. */
  public int documents() {
    return documents;
  }

  /** Its shapes. */
  public int shapeCount() {
    return shapeCount;
  }

  /** The place of one of them, as {@link SegmentDictionary} numbers it. */
  public int shape(int i) {
    return shapes[i];
  }

  /** Its template references. */
  public int templateCount() {
    return referenceCount;
  }

  /** The place of one of them in the dictionary. */
  public int template(int i) {
    return references[i];
  }

  /** Writes the part of the loaded block that names nothing outside of it. */
  public void copyBody(ByteSink out) {
    out.write(block, bodyStart, blockLength - bodyStart);
  }
}
