package io.millrace.storage.columnarsource;

import io.millrace.storage.columnarsource.block.BlockBuilder;
import io.millrace.storage.columnarsource.block.BlockCursor;
import io.millrace.storage.columnarsource.block.SourceCounters;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.patch.PatchEncoder;
import io.millrace.storage.columnarsource.segment.SegmentDictionary;
import io.millrace.storage.columnarsource.segment.SegmentLayout;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.StoredFieldDataInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Sends the first binary {@code _source} of a document to the blocks and everything else to another
 * writer, {@code _recovery_source} as its difference to the {@code _source} before it.
 *
 * <p>Memory: one block's documents (1 MiB or the longest document), what encoding them takes, and
 * the {@link SegmentDictionary}.
 */
final class ColumnarSourceWriter extends StoredFieldsWriter {
  private static final BytesRef NO_SOURCE = new BytesRef();

  private final StoredFieldsWriter others;
  private final IndexOutput data;
  private final IndexOutput meta;
  private final SourceCounters counters;
  private final SegmentDictionary dictionary = new SegmentDictionary();
  private final BlockBuilder builder;
  private final ByteSink block = new ByteSink(64 * 1024);
  private final ByteSink patch = new ByteSink(256);

  /** Made for the first document whose {@code _source} is not all of it. */
  private @Nullable PatchEncoder patches;

  private int documents;
  private int blocks;
  private int[] counts = new int[16];
  private long[] lengths = new long[16];
  private boolean hasSource;

  /** The {@code _source} of the document that is being written, where it has one. */
  private BytesRef source = NO_SOURCE;

  private boolean closed;

  ColumnarSourceWriter(
      StoredFieldsWriter others,
      IndexOutput data,
      IndexOutput meta,
      int level,
      SourceCounters counters) {
    this.others = others;
    this.data = data;
    this.meta = meta;
    this.counters = counters;
    this.builder = new BlockBuilder(dictionary, level);
    counters.openCompressors.increment();
  }

  @Override
  public void startDocument() throws IOException {
    others.startDocument();
    hasSource = false;
    source = NO_SOURCE;
  }

  @Override
  public void finishDocument() throws IOException {
    others.finishDocument();
    if (!hasSource) {
      addAbsent();
    }
  }

  @Override
  public void writeField(FieldInfo field, BytesRef value) throws IOException {
    if (field.name.equals(ColumnarSourceFormat.RECOVERY)) {
      writePatch(field, value);
    } else if (hasSource || !field.name.equals(ColumnarSourceFormat.FIELD)) {
      others.writeField(field, value);
    } else {
      hasSource = true;
      source = value;
      add(value.bytes, value.offset, value.length);
    }
  }

  @Override
  public void writeField(FieldInfo field, StoredFieldDataInput value) throws IOException {
    if (field.name.equals(ColumnarSourceFormat.RECOVERY)
        || !hasSource && field.name.equals(ColumnarSourceFormat.FIELD)) {
      byte[] bytes = new byte[value.getLength()];
      value.getDataInput().readBytes(bytes, 0, bytes.length);
      writeField(field, new BytesRef(bytes));
    } else {
      others.writeField(field, value);
    }
  }

  private void writePatch(FieldInfo field, BytesRef value) throws IOException {
    PatchEncoder encoder = patches;
    if (encoder == null) {
      encoder = new PatchEncoder();
      patches = encoder;
    }
    patch.reset(BlockBuilder.MAX_BYTES);
    encoder.encode(
        source.bytes, source.offset, source.length, value.bytes, value.offset, value.length, patch);
    others.writeField(field, new BytesRef(patch.bytes, 0, patch.length));
  }

  @Override
  public void writeField(FieldInfo field, int value) throws IOException {
    others.writeField(field, value);
  }

  @Override
  public void writeField(FieldInfo field, long value) throws IOException {
    others.writeField(field, value);
  }

  @Override
  public void writeField(FieldInfo field, float value) throws IOException {
    others.writeField(field, value);
  }

  @Override
  public void writeField(FieldInfo field, double value) throws IOException {
    others.writeField(field, value);
  }

  @Override
  public void writeField(FieldInfo field, String value) throws IOException {
    others.writeField(field, value);
  }

  /** Takes the next document's {@code _source}. */
  void add(byte[] source, int from, int length) throws IOException {
    counters.documents.increment();
    counters.plainBytes.add(length);
    if (builder.startsWith(length)) {
      flush();
    }
    if (!builder.add(source, from, length)) {
      counters.rawDocuments.increment();
    }
    added();
  }

  /** Takes the next document, which has none. */
  void addAbsent() throws IOException {
    builder.addAbsent();
    added();
  }

  private void added() throws IOException {
    documents++;
    if (builder.full()) {
      flush();
    }
  }

  private void flush() throws IOException {
    int count = builder.documents();
    if (count > 0) {
      block.reset(4 * BlockBuilder.MAX_BYTES);
      builder.encode(block);
      write(count);
    }
  }

  private void write(int count) throws IOException {
    int checksum = BlockBuilder.checksum(block.bytes, 0, block.length);
    data.writeBytes(block.bytes, 0, block.length);
    data.writeInt(checksum);
    counts = ArrayUtil.grow(counts, blocks + 1);
    lengths = ArrayUtil.grow(lengths, blocks + 1);
    counts[blocks] = count;
    lengths[blocks++] = block.length + Integer.BYTES;
    counters.storedBytes.add(block.length + Integer.BYTES);
  }

  SegmentDictionary dictionary() {
    return dictionary;
  }

  /** Documents that wait for their block. */
  int waiting() {
    return builder.documents();
  }

  /**
   * Writes a loaded block as it is, with its references changed to this segment's dictionary.
   *
   * @param shapes this segment's number for each shape of the block
   * @param templates this segment's number for each template reference of the block
   */
  void copy(BlockCursor source, int[] shapes, int[] templates) throws IOException {
    flush();
    block.reset(4 * BlockBuilder.MAX_BYTES);
    block.writeVInt(source.documents());
    block.writeVInt(source.shapeCount());
    for (int i = 0; i < source.shapeCount(); i++) {
      block.writeVInt(shapes[i]);
    }
    block.writeVInt(source.templateCount());
    for (int i = 0; i < source.templateCount(); i++) {
      block.writeVInt(templates[i]);
    }
    source.copyBody(block);
    write(source.documents());
    documents += source.documents();
    counters.blocksCopied.increment();
  }

  @Override
  public int merge(MergeState state) throws IOException {
    StoredFieldsReader[] theirs = state.storedFieldsReaders.clone();
    for (int i = 0; i < theirs.length; i++) {
      if (!(theirs[i] instanceof ColumnarSourceReader ours) || ours.keepsRecoverySources()) {
        return super.merge(state); // another codec, a filter, no patches: document by document
      }
      theirs[i] = ours.others();
    }
    int count = others.merge(SourceMerge.withReaders(state, theirs));
    new SourceMerge(state, this).run();
    finishOwn(count);
    return count;
  }

  @Override
  public void finish(int count) throws IOException {
    others.finish(count);
    finishOwn(count);
  }

  private void finishOwn(int count) throws IOException {
    flush();
    if (documents != count) {
      throw new IllegalStateException("wrote _source of " + documents + " documents, not " + count);
    }
    CodecUtil.writeFooter(data);
    SegmentLayout.write(
        meta,
        documents,
        Arrays.copyOf(counts, blocks),
        Arrays.copyOf(lengths, blocks),
        blocks,
        dictionary);
    CodecUtil.writeFooter(meta);
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      IOUtils.close(others, data, meta, this::closeBuilder);
    }
  }

  private void closeBuilder() {
    builder.close();
    counters.openCompressors.decrement();
  }

  @Override
  public long ramBytesUsed() {
    return others.ramBytesUsed()
        + builder.ramBytesUsed()
        + dictionary.ramBytesUsed()
        + block.bytes.length
        + patch.bytes.length
        + (patches == null ? 0 : patches.ramBytesUsed())
        + 12L * counts.length;
  }
}
