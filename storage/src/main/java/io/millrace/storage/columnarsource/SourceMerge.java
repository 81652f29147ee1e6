package io.millrace.storage.columnarsource;

import io.millrace.storage.columnarsource.block.BlockBuilder;
import io.millrace.storage.columnarsource.block.BlockCursor;
import io.millrace.storage.columnarsource.bytes.ByteSink;
import io.millrace.storage.columnarsource.bytes.SpanTable;
import io.millrace.storage.columnarsource.segment.SegmentDictionary;
import io.millrace.storage.columnarsource.segment.SegmentLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.index.DocIDMerger;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.Bits;

/**
 * Merges {@code _source} between segments of this format.
 *
 * <p>A block none of whose documents is deleted, with at least {@value #WORTH_A_COPY} documents or
 * half a block's bytes, is copied: only its references are changed to the new segment's dictionary.
 * All others are decoded and encoded again, and so is a block whose shapes or templates no longer
 * fit the new dictionary. Copying ends the block that is being collected; at most one small block
 * per merged segment comes of that, and the next merge takes it apart again. With an index sort
 * documents are interleaved, and nothing is copied.
 */
final class SourceMerge {
  static final int WORTH_A_COPY = BlockBuilder.MAX_DOCUMENTS / 2;
  private static final int UNKNOWN = -2;

  private final MergeState state;
  private final ColumnarSourceWriter writer;
  private final ByteSink document = new ByteSink(1024);
  private int[] shapes = {};
  private int[] templates = {};

  SourceMerge(MergeState state, ColumnarSourceWriter writer) {
    this.state = state;
    this.writer = writer;
  }

  /** The same merge seen by a writer of other readers. */
  static MergeState withReaders(MergeState state, StoredFieldsReader[] readers) {
    return new MergeState(
        state.docMaps,
        state.segmentInfo,
        state.mergeFieldInfos,
        readers,
        state.termVectorsReaders,
        state.normsProducers,
        state.docValuesProducers,
        state.fieldInfos,
        state.liveDocs,
        state.fieldsProducers,
        state.pointsReaders,
        state.knnVectorsReaders,
        state.maxDocs,
        state.infoStream,
        state.intraMergeTaskExecutor,
        state.needsIndexSort,
        state.oneMerge);
  }

  void run() throws IOException {
    for (StoredFieldsReader reader : state.storedFieldsReaders) {
      state.checkAborted();
      ((ColumnarSourceReader) reader).checkSourceIntegrity();
    }
    if (state.needsIndexSort) {
      interleave();
      return;
    }
    for (int i = 0; i < state.storedFieldsReaders.length; i++) {
      append((ColumnarSourceReader) state.storedFieldsReaders[i], state.liveDocs[i]);
    }
  }

  private void append(ColumnarSourceReader reader, Bits live) throws IOException {
    SegmentLayout layout = reader.layout();
    BlockCursor cursor = reader.cursor();
    int[] shapeMap = filled(reader.shapeCount() + SegmentDictionary.FIRST_SHAPE);
    shapeMap[SegmentDictionary.ABSENT] = SegmentDictionary.ABSENT;
    shapeMap[SegmentDictionary.RAW] = SegmentDictionary.RAW;
    int[] templateMap = filled(reader.templateCount());
    for (int block = 0; block < layout.blocks(); block++) {
      state.checkAborted();
      int first = layout.firstDocuments()[block];
      int end = layout.firstDocuments()[block + 1];
      if (isWorthACopy(end - first, layout.length(block)) && allLive(live, first, end)) {
        cursor.load(block);
        if (map(reader, cursor, shapeMap, templateMap)) {
          writer.copy(cursor, shapes, templates);
          continue;
        }
      }
      for (int doc = first; doc < end; doc++) {
        if (live == null || live.get(doc)) {
          add(cursor, doc);
        }
      }
    }
  }

  /**
   * @param documents of the block
   * @param length its bytes as they are stored
   */
  static boolean isWorthACopy(int documents, int length) {
    if (documents > 1 && length > BlockBuilder.MAX_BYTES + BlockBuilder.ALONE) {
      return false; // a large document among others, which earlier writers made: taken apart
    }
    return documents >= WORTH_A_COPY || length >= BlockBuilder.MAX_BYTES / 8;
  }

  private static int[] filled(int size) {
    int[] map = new int[size];
    Arrays.fill(map, UNKNOWN);
    return map;
  }

  private static boolean allLive(Bits live, int first, int end) {
    if (live == null) {
      return true;
    }
    for (int doc = first; doc < end; doc++) {
      if (!live.get(doc)) {
        return false;
      }
    }
    return true;
  }

  /** Whether everything that the block names has a place in the new dictionary. */
  private boolean map(
      ColumnarSourceReader reader, BlockCursor cursor, int[] shapeMap, int[] templateMap)
      throws IOException {
    SegmentDictionary dictionary = writer.dictionary();
    shapes = ArrayUtil.grow(shapes, cursor.shapeCount());
    for (int i = 0; i < cursor.shapeCount(); i++) {
      int id = cursor.shape(i);
      if (shapeMap[id] == UNKNOWN) {
        byte[] text = reader.dictionary().shape(id - SegmentDictionary.FIRST_SHAPE);
        int mapped = dictionary.shape(text, 0, text.length);
        shapeMap[id] = mapped == SegmentDictionary.RAW ? SpanTable.ABSENT : mapped;
      }
      shapes[i] = shapeMap[id];
      if (shapes[i] == SpanTable.ABSENT) {
        return false;
      }
    }
    templates = ArrayUtil.grow(templates, cursor.templateCount());
    for (int i = 0; i < cursor.templateCount(); i++) {
      int id = cursor.template(i);
      if (templateMap[id] == UNKNOWN) {
        document.length = 0;
        reader.dictionary().template(id, document);
        templateMap[id] = dictionary.copiedTemplate(document.bytes, 0, document.length);
      }
      templates[i] = templateMap[id];
      if (templates[i] == SpanTable.ABSENT) {
        return false;
      }
    }
    return true;
  }

  private void add(BlockCursor cursor, int doc) throws IOException {
    document.reset(4 * BlockBuilder.MAX_BYTES);
    if (cursor.read(doc, document)) {
      writer.add(document.bytes, 0, document.length);
    } else {
      writer.addAbsent();
    }
  }

  private void interleave() throws IOException {
    List<Sub> subs = new ArrayList<>();
    for (int i = 0; i < state.storedFieldsReaders.length; i++) {
      subs.add(
          new Sub(
              state.docMaps[i],
              ((ColumnarSourceReader) state.storedFieldsReaders[i]).cursor(),
              state.maxDocs[i]));
    }
    DocIDMerger<Sub> merger = DocIDMerger.of(subs, true);
    for (Sub sub = merger.next(); sub != null; sub = merger.next()) {
      add(sub.cursor, sub.doc);
    }
  }

  /** One segment of an interleaving merge; DocIDMerger skips deleted documents by the map. */
  private static final class Sub extends DocIDMerger.Sub {
    private final BlockCursor cursor;
    private final int maxDoc;
    private int doc = -1;

    Sub(MergeState.DocMap map, BlockCursor cursor, int maxDoc) {
      super(map);
      this.cursor = cursor;
      this.maxDoc = maxDoc;
    }

    @Override
    public int nextDoc() {
      return ++doc == maxDoc ? DocIdSetIterator.NO_MORE_DOCS : doc;
    }
  }
}
