package io.millrace.search.columns;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.util.Text;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Arrow's own reader opens the streams. */
@ClusterScope(scope = Scope.SUITE, numDataNodes = 2, supportsDedicatedMasters = false)
public class ArrowNodeTests extends ColumnsTestCase {
  public void testArrowsOwnReaderReadsTheSameValues() throws Exception {
    documents("r", 90);
    List<String> names =
        List.of("n", "d", "b", "t", "nanos", "level", "tags", "message", "unmapped", "_id");
    List<String> lists = new ArrayList<>();
    names.forEach(name -> lists.add("{\"field\":\"" + name + "\",\"list\":true}"));
    String body = "{\"sort\":[{\"n\":\"asc\"}],\"size\":1000,\"columns\":" + lists + "}";
    Map<String, List<List<Object>>> json = columns(ask("r", Map.of(), body).json());
    Asked arrow = ask("r", Map.of("format", "arrow"), body);
    try (RootAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(
                new ByteArrayInputStream(BytesReference.toBytes(arrow.bytes())), allocator)) {
      assertTrue(reader.loadNextBatch());
      for (FieldVector vector : reader.getVectorSchemaRoot().getFieldVectors()) {
        String name = vector.getName();
        assertTrue(vector.getField().getType() instanceof ArrowType.List);
        ArrowType type = vector.getField().getChildren().getFirst().getType();
        assertEquals(json.get(name).size(), vector.getValueCount());
        for (int row = 0; row < vector.getValueCount(); row++) {
          List<Object> values = new ArrayList<>();
          ((List<?>) vector.getObject(row)).forEach(each -> values.add(plain(text(each))));
          if (type instanceof ArrowType.Timestamp) {
            assertEquals(name, json.get(name).get(row).size(), values.size());
          } else {
            assertEquals(name + " of row " + row, json.get(name).get(row), values);
          }
        }
      }
      assertFalse(reader.loadNextBatch());
    }
  }

  private static Object text(Object value) {
    return value instanceof Text text ? text.toString() : value;
  }

  public void testArrowOfSingleValuesHasNullsAndTimes() throws Exception {
    assertAcked(prepareCreate("one").setMapping("t", "type=date,format=epoch_millis"));
    for (int n = 0; n < 20; n++) {
      Map<String, Object> source = new HashMap<>(Map.of("n", n));
      if (n % 3 > 0) {
        source.putAll(Map.of("t", 1000L * n, "x", n / 2.0, "ok", n % 2 == 0, "w.keyword", "w" + n));
      }
      client().prepareIndex("one").setSource(source).get();
    }
    refresh("one");
    String columns = "\"columns\":[\"n\",\"t\",\"x\",\"ok\",\"w.keyword.keyword\"]";
    Asked arrow =
        ask("one", Map.of("format", "arrow"), "{\"sort\":[\"n\"],\"size\":20," + columns + "}");
    try (RootAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(
                new ByteArrayInputStream(BytesReference.toBytes(arrow.bytes())), allocator)) {
      assertTrue(reader.loadNextBatch());
      var root = reader.getVectorSchemaRoot();
      assertEquals(20, root.getRowCount());
      for (int n = 0; n < 20; n++) {
        boolean there = n % 3 > 0;
        assertEquals((long) n, root.getVector("n").getObject(n));
        assertEquals(there ? 1000L * n : null, root.getVector("t").getObject(n));
        assertEquals(there ? n / 2.0 : null, root.getVector("x").getObject(n));
        assertEquals(there ? n % 2 == 0 : null, root.getVector("ok").getObject(n));
        Object word = root.getVector("w.keyword.keyword").getObject(n);
        assertEquals(there ? "w" + n : null, word == null ? null : word.toString());
      }
    }
    // an empty answer is a stream of no rows
    Asked none =
        ask("one", Map.of("format", "arrow"), "{\"query\":{\"match_none\":{}}," + columns + "}");
    try (RootAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(
                new ByteArrayInputStream(BytesReference.toBytes(none.bytes())), allocator)) {
      assertEquals(5, reader.getVectorSchemaRoot().getFieldVectors().size());
      assertTrue(reader.loadNextBatch());
      assertEquals(0, reader.getVectorSchemaRoot().getRowCount());
    }
    client().prepareIndex("one").setSource("n", List.of(1, 2)).get();
    refresh("one");
    Asked several = ask("one", Map.of("format", "arrow"), "{\"size\":100," + columns + "}");
    IllegalArgumentException e = expectThrows(IllegalArgumentException.class, several::bytes);
    assertTrue(e.getMessage(), e.getMessage().contains("{\"field\": \"n\", \"list\": true}"));
  }
}
