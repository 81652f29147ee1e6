package io.millrace.search.columns;

import java.io.IOException;
import java.util.ArrayList;
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
    int[] block = new int[hits.length];
    int[] row = new int[hits.length];
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
    List<TableColumn> columns = new ArrayList<>();
    for (int c = 0; c < specs.size(); c++) {
      columns.add(column(specs.get(c), c, hits, blocks, block, row));
    }
    return new ColumnTable(columns, hits.length);
  }

  private static TableColumn column(
      ColumnSpec spec, int c, SearchHit[] hits, List<ColumnBlock> blocks, int[] block, int[] row) {
    return switch (spec.field()) {
      case ColumnSpec.INDEX -> TableColumn.ofText(spec, i -> hits[i].getIndex());
      case ColumnSpec.SCORE -> TableColumn.ofNumber(spec, i -> hits[i].getScore());
      default ->
          TableColumn.ofField(
              spec, blocks.stream().map(each -> each.columns().get(c)).toList(), block, row);
    };
  }
}
