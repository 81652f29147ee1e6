package io.millrace.search.columns;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchShardTarget;

/** The columns of all shards in the order of the hits. */
final class ColumnTable {
  private final List<TableColumn> columns;
  private final int rows;

  private ColumnTable(List<TableColumn> columns, int rows) {
    this.columns = columns;
    this.rows = rows;
  }

  List<TableColumn> columns() {
    return columns;
  }

  int rows() {
    return rows;
  }

  /** The table of the hits that shards have filled with blocks. */
  static ColumnTable of(SearchHit[] hits, List<ColumnSpec> specs) throws IOException {
    List<ColumnBlock> blocks = new ArrayList<>();
    Map<SearchShardTarget, Integer> ofShard = new HashMap<>();
    for (SearchHit hit : hits) {
      DocumentField field = hit.getDocumentFields().get(ColumnsPhase.BLOCK);
      if (field != null) {
        ofShard.put(hit.getShard(), blocks.size());
        blocks.add(ColumnBlock.of(field.getValue()));
      }
    }
    boolean whole = hits.length == 1 && WholePages.carriesAll(hits[0]);
    int rows = whole ? blocks.getFirst().rows() : hits.length;
    int[] block = new int[rows];
    int[] row = new int[rows];
    for (int i = 0; i < hits.length; i++) {
      Integer its = ofShard.get(hits[i].getShard());
      if (its == null) {
        throw new IllegalStateException(
            "the shard "
                + hits[i].getShard()
                + " answered without columns; has its node the feature ["
                + ColumnsFeature.ID
                + "]?");
      }
      block[i] = its;
      row[i] = (int) hits[i].getVersion();
    }
    if (whole) {
      Arrays.setAll(row, i -> i);
    }
    List<TableColumn> columns = new ArrayList<>();
    for (int c = 0; c < specs.size(); c++) {
      columns.add(column(specs.get(c), c, hits, blocks, block, row));
    }
    return new ColumnTable(columns, rows);
  }

  private static TableColumn column(
      ColumnSpec spec, int c, SearchHit[] hits, List<ColumnBlock> blocks, int[] block, int[] row) {
    return switch (spec.field()) {
      case ColumnSpec.INDEX ->
          TableColumn.ofText(spec, i -> hits[Math.min(i, hits.length - 1)].getIndex());
      case ColumnSpec.SCORE ->
          TableColumn.ofNumber(spec, i -> hits[Math.min(i, hits.length - 1)].getScore());
      default ->
          TableColumn.ofField(
              spec, blocks.stream().map(each -> each.columns().get(c)).toList(), block, row);
    };
  }
}
