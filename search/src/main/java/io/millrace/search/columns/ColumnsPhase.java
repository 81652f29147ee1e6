package io.millrace.search.columns;

import io.millrace.kernel.settings.Knob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;

/**
 * Collects the columns of the hits of a shard while they are fetched.
 *
 * <p>Hits come in the order of their documents, which is the cheap one for doc values and stored
 * fields. The first carries the block of all; each keeps its row where a hit has room for a number
 * on the wire anyway: its version, which nothing else asks for in such a search. A hit that stands
 * for a {@linkplain WholePages whole page} carries the rows of all.
 */
final class ColumnsPhase implements FetchSubPhase {
  /** The field of the hit that carries the block. */
  static final String BLOCK = "_millrace_columns";

  final LongAdder rows = new LongAdder();

  private final Knob<ByteSizeValue> maxBytes;
  private final WholePages pages;

  ColumnsPhase(Knob<ByteSizeValue> maxBytes, WholePages pages) {
    this.maxBytes = maxBytes;
    this.pages = pages;
  }

  @Override
  public @Nullable FetchSubPhaseProcessor getProcessor(FetchContext context) throws IOException {
    if (!(context.getSearchExt(ColumnsExt.NAME) instanceof ColumnsExt ext)) {
      return null;
    }
    StoredDocument document = new StoredDocument();
    List<ShardColumn> columns = new ArrayList<>();
    for (ColumnSpec spec : ext.columns()) {
      columns.add(ShardColumn.of(spec, context, document));
    }
    Processor hits = new Processor(columns, document);
    WholePages.Page page = pages.of(context.searcher());
    return page == null ? hits : new PageProcessor(hits, page, context.searcher());
  }

  private final class Processor implements FetchSubPhaseProcessor {
    private final List<ShardColumn> columns;
    private final StoredDocument document;
    private final ColumnBlock block;
    private int row;

    Processor(List<ShardColumn> columns, StoredDocument document) {
      this.columns = columns;
      this.document = document;
      this.block = new ColumnBlock(columns.stream().map(ShardColumn::column).toList());
    }

    @Override
    public void setNextReader(LeafReaderContext segment) throws IOException {
      document.segment(segment);
      for (ShardColumn each : columns) {
        if (each.reader() != null) {
          each.reader().segment(segment);
        }
      }
    }

    @Override
    public void process(HitContext hit) throws IOException {
      if (row == 0) {
        carry(hit);
      }
      hit.hit().version(row);
      read(hit.docId());
    }

    void carry(HitContext hit) {
      hit.hit().setDocumentField(BLOCK, new DocumentField(BLOCK, List.of(block)));
    }

    void read(int document) throws IOException {
      for (ShardColumn each : columns) {
        if (each.reader() != null) {
          each.reader().read(document, each.column());
        }
        each.column().endRow();
      }
      row++;
      rows.increment();
      if ((row & 63) == 0) {
        check();
      }
    }

    private void check() {
      long held = block.ramBytesUsed();
      if (held > maxBytes.value().getBytes()) {
        throw new IllegalArgumentException(
            "the columns of the first ["
                + row
                + "] hits of a shard hold ["
                + new ByteSizeValue(held)
                + "], more than ["
                + maxBytes.key()
                + "] of ["
                + maxBytes.value()
                + "]; ask for fewer rows and go on with search_after, or raise the limit");
      }
    }
  }

  /** Reads all rows of a page when its last one comes by, which carries them. */
  private static final class PageProcessor implements FetchSubPhaseProcessor {
    private final Processor rows;
    private final WholePages.Page page;
    private final IndexSearcher searcher;

    PageProcessor(Processor rows, WholePages.Page page, IndexSearcher searcher) {
      this.rows = rows;
      this.page = page;
      this.searcher = searcher;
    }

    @Override
    public void setNextReader(LeafReaderContext segment) {
      // each row finds its own
    }

    @Override
    public void process(HitContext hit) throws IOException {
      List<LeafReaderContext> segments = searcher.getLeafContexts();
      int end = 0; // of the segment, behind its last document
      int base = 0;
      for (int i = 0; i < page.rows().length; i++) {
        int document = page.rows()[i];
        if (document >= end) {
          LeafReaderContext segment = segments.get(ReaderUtil.subIndex(document, segments));
          rows.setNextReader(segment);
          base = segment.docBase;
          end = base + segment.reader().maxDoc();
        }
        rows.read(document - base);
        if (i % WholePages.LOOK == 0) {
          page.look();
        }
      }
      rows.carry(hit);
      WholePages.carryAll(hit.hit());
    }
  }
}
