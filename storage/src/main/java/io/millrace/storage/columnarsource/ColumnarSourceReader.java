package io.millrace.storage.columnarsource;

import io.millrace.kernel.slot.OutlinedSource;
import io.millrace.kernel.slot.PartialSource;
import io.millrace.storage.columnarsource.block.BlockBuilder;
import io.millrace.storage.columnarsource.block.BlockCursor;
import io.millrace.storage.columnarsource.block.SourceCounters;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.patch.PatchDecoder;
import io.millrace.storage.columnarsource.segment.DictionaryReader;
import io.millrace.storage.columnarsource.segment.SegmentLayout;
import io.millrace.storage.offheapcache.BlockFile;
import io.millrace.storage.offheapcache.CachedInput;
import io.millrace.storage.zstandard.DecompressionContexts;
import java.io.IOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.StoredFieldDataInput;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code _source} from blocks and everything else from another reader.
 *
 * <p>A clone, which SegmentReader makes for every {@code storedFields()}, keeps the block it read
 * last, so that the hits of one request that lie side by side decode it once. The reader of a merge
 * reads everything once and leaves the node's cache alone. A search reads its hits by such a
 * reader, too, where they lie side by side; whoever wants some fields alone is no merge and has the
 * cache.
 */
final class ColumnarSourceReader extends StoredFieldsReader {
  private final StoredFieldsReader others;
  private final @Nullable FieldInfo field;
  private final @Nullable FieldInfo recovery;
  private final boolean patched;
  private final SegmentLayout layout;
  private final IndexInput data;
  private final IndexInput meta;
  private final DecompressionContexts contexts;
  private final SourceCounters counters;
  private final FilteredFetches fetches;
  private final boolean cached;

  private @Nullable DictionaryReader dictionary;
  private @Nullable BlockCursor cursor;
  private @Nullable BlockCursor partialCursor;
  private final ByteSink source = new ByteSink(512);

  /**
   * @param recovery the field {@code _recovery_source}, where the segment has it
   * @param patched whether that field holds differences to {@code _source}
   */
  ColumnarSourceReader(
      StoredFieldsReader others,
      @Nullable FieldInfo field,
      @Nullable FieldInfo recovery,
      boolean patched,
      SegmentLayout layout,
      IndexInput data,
      IndexInput meta,
      DecompressionContexts contexts,
      SourceCounters counters,
      FilteredFetches fetches,
      boolean cached) {
    this.others = others;
    this.field = field;
    this.recovery = recovery;
    this.patched = patched;
    this.layout = layout;
    this.data = data;
    this.meta = meta;
    this.contexts = contexts;
    this.counters = counters;
    this.fetches = fetches;
    this.cached = cached;
  }

  @Override
  public void document(int document, StoredFieldVisitor visitor) throws IOException {
    boolean whole = false;
    if (field != null) {
      StoredFieldVisitor.Status status = visitor.needsField(field);
      if (status == StoredFieldVisitor.Status.STOP) {
        return;
      }
      if (status == StoredFieldVisitor.Status.YES) {
        source.reset(BlockBuilder.MAX_BYTES);
        PartialSource wanted = fetches.wantedBy(visitor);
        if (wanted != null) {
          counters.partialDocuments.increment();
        }
        BlockCursor from = wanted == null ? cursor() : partialCursor();
        boolean given = from.read(document, wanted, source);
        whole = given && wanted == null;
        if (given) {
          visitor.binaryField(
              field,
              new StoredFieldDataInput(new ByteArrayDataInput(source.bytes, 0, source.length)));
        }
        if ((given || wanted instanceof OutlinedSource)
            && visitor.needsField(field) == StoredFieldVisitor.Status.STOP) {
          return; // nothing else is wanted: the other fields lie in blocks of their own
        }
      }
    }
    others.document(
        document,
        recovery != null && patched
            ? new PatchedFields(visitor, recovery, document, whole)
            : visitor);
  }

  /** Passes everything on, and {@code _recovery_source} as it was given to the writer. */
  private final class PatchedFields extends StoredFieldVisitor {
    private final StoredFieldVisitor asked;
    private final FieldInfo recovery;
    private final int document;

    /** Whether the document's {@code _source} was read just now. */
    private boolean held;

    PatchedFields(StoredFieldVisitor asked, FieldInfo recovery, int document, boolean held) {
      this.asked = asked;
      this.recovery = recovery;
      this.document = document;
      this.held = held;
    }

    @Override
    public Status needsField(FieldInfo other) throws IOException {
      return asked.needsField(other);
    }

    @Override
    public void binaryField(FieldInfo other, StoredFieldDataInput value) throws IOException {
      if (other.number == recovery.number) {
        super.binaryField(other, value);
      } else {
        asked.binaryField(other, value);
      }
    }

    @Override
    public void binaryField(FieldInfo other, byte[] value) throws IOException {
      if (other.number != recovery.number) {
        asked.binaryField(other, value);
        return;
      }
      if (!held && PatchDecoder.needsBase(value)) {
        source.reset(BlockBuilder.MAX_BYTES);
        cursor().read(document, source);
        held = true;
      }
      ByteSink whole = new ByteSink(source.length + value.length);
      PatchDecoder.decode(value, source, data.toString(), whole);
      asked.binaryField(
          other, new StoredFieldDataInput(new ByteArrayDataInput(whole.bytes, 0, whole.length)));
    }

    @Override
    public void stringField(FieldInfo other, String value) throws IOException {
      asked.stringField(other, value);
    }

    @Override
    public void intField(FieldInfo other, int value) throws IOException {
      asked.intField(other, value);
    }

    @Override
    public void longField(FieldInfo other, long value) throws IOException {
      asked.longField(other, value);
    }

    @Override
    public void floatField(FieldInfo other, float value) throws IOException {
      asked.floatField(other, value);
    }

    @Override
    public void doubleField(FieldInfo other, double value) throws IOException {
      asked.doubleField(other, value);
    }
  }

  /** Whether it has the field {@code _recovery_source} as it was given to an earlier writer. */
  boolean keepsRecoverySources() {
    return recovery != null && !patched;
  }

  @Override
  public void prefetch(int document) throws IOException {
    others.prefetch(document);
    if (field != null) {
      int block = layout.blockOf(document);
      data.prefetch(layout.pointers()[block], layout.length(block));
    }
  }

  StoredFieldsReader others() {
    return others;
  }

  SegmentLayout layout() {
    return layout;
  }

  int shapeCount() {
    return layout.dictionary().shapeCount();
  }

  int templateCount() {
    return layout.dictionary().templateCount();
  }

  DictionaryReader dictionary() throws IOException {
    DictionaryReader own = dictionary;
    if (own == null) {
      own =
          new DictionaryReader(
              layout.dictionary(),
              meta.randomAccessSlice(layout.dictionaryStart(), layout.dictionaryLength()));
      dictionary = own;
    }
    return own;
  }

  BlockCursor cursor() throws IOException {
    BlockCursor own = cursor;
    if (own == null) {
      own = cursor(cached ? CachedInput.fileOf(data) : null);
      cursor = own;
    }
    return own;
  }

  private BlockCursor partialCursor() throws IOException {
    BlockCursor own = partialCursor;
    if (own == null) {
      own = cached ? cursor() : cursor(CachedInput.fileOf(data));
      partialCursor = own;
    }
    return own;
  }

  private BlockCursor cursor(@Nullable BlockFile file) throws IOException {
    return new BlockCursor(layout, data, file, dictionary(), contexts, counters);
  }

  @Override
  public void checkIntegrity() throws IOException {
    others.checkIntegrity();
    checkSourceIntegrity();
  }

  void checkSourceIntegrity() throws IOException {
    CodecUtil.checksumEntireFile(data);
    CodecUtil.checksumEntireFile(meta);
  }

  @Override
  public StoredFieldsReader clone() {
    return with(others.clone(), cached);
  }

  @Override
  public StoredFieldsReader getMergeInstance() {
    return with(others.getMergeInstance(), false);
  }

  private ColumnarSourceReader with(StoredFieldsReader newOthers, boolean newCached) {
    return new ColumnarSourceReader(
        newOthers,
        field,
        recovery,
        patched,
        layout,
        data.clone(),
        meta.clone(),
        contexts,
        counters,
        fetches,
        newCached);
  }

  @Override
  public void close() throws IOException {
    layout.dictionary().close();
    IOUtils.close(others, data, meta);
  }
}
