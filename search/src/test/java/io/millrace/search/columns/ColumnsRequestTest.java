package io.millrace.search.columns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.bytes.BytesReference;

class ColumnsRequestTest {
  private static String refused(Object body) {
    return assertThrows(IllegalArgumentException.class, () -> ColumnsRequest.columns(null, body))
        .getMessage();
  }

  @Test
  void columnsComeFromTheBodyOrTheParameter() {
    assertEquals(
        List.of(new ColumnSpec("a", null, false), new ColumnSpec("b.c", null, false)),
        ColumnsRequest.columns("a,b.c", null));
    assertEquals(
        List.of(new ColumnSpec("a", null, false), new ColumnSpec("t", "epoch_millis", true)),
        ColumnsRequest.columns(
            "ignored", List.of("a", Map.of("field", "t", "format", "epoch_millis", "list", true))));
  }

  @Test
  void badColumnsNameFieldValueAndRemedy() {
    assertTrue(refused(null).contains("[columns] is missing; name the columns"));
    assertTrue(refused("a").contains("[columns] is [a]; write a list"));
    assertTrue(refused(List.of(7)).contains("[columns] has [7]; write the name"));
    assertTrue(refused(List.of("a", "a")).contains("names [a] twice"));
    assertTrue(refused(List.of(" ")).contains("[columns.field] is [ ]"));
    assertTrue(refused(List.of("a*")).contains("name each field"));
    assertTrue(refused(List.of(Map.of("name", "a"))).contains("unknown key [name]"));
    assertTrue(refused(List.of(Map.of("field", "a", "list", "yes"))).contains("[columns.list]"));
    assertTrue(
        refused(List.of(Map.of("field", "a", "format", "QQQQQQQ{"))).contains("[columns.format]"));
    List<String> many = new ArrayList<>();
    for (int i = 0; i <= ColumnsRequest.MOST; i++) {
      many.add("f" + i);
    }
    assertTrue(refused(many).contains("names [1001] columns"));
  }

  @ParameterizedTest
  @CsvSource({
    ",,JSON",
    ",*/*,JSON",
    "ndjson,,NDJSON",
    "arrow,application/json,ARROW",
    ",application/vnd.apache.arrow.stream,ARROW",
    ",application/x-ndjson,NDJSON"
  })
  void theParameterComesBeforeTheHeader(String named, String accepted, ColumnFormat format) {
    assertEquals(format, ColumnFormat.of(named, accepted == null ? null : List.of(accepted)));
  }

  @Test
  void anUnknownFormatNamesTheKnown() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ColumnFormat.of("csv", null));
    assertEquals("[format] is [csv]; use [json], [ndjson] or [arrow]", e.getMessage());
  }

  @Test
  void aBlockSurvivesTheWire() throws Exception {
    ColumnValues longs = new ColumnValues(ValueKind.LONG, null);
    ColumnValues doubles = new ColumnValues(ValueKind.DOUBLE, null);
    ColumnValues texts = new ColumnValues(ValueKind.TEXT, null);
    ColumnValues dates = new ColumnValues(ValueKind.MILLIS, "epoch_millis");
    for (int row = 0; row < 100; row++) {
      for (int value = 0; value < row % 3; value++) {
        longs.add(row % 2 == 0 ? Long.MIN_VALUE + row : Long.MAX_VALUE - row);
        doubles.add(Double.doubleToRawLongBits(row == 4 ? Double.NaN : row / 7.0));
        texts.add("\u00e9" + row);
      }
      dates.add(row * 1000L);
      for (ColumnValues each : List.of(longs, doubles, texts, dates)) {
        each.endRow();
      }
    }
    ColumnBlock sent = new ColumnBlock(List.of(longs, doubles, texts, dates));
    BytesStreamOutput out = new BytesStreamOutput();
    out.writeGenericValue(sent);
    Object got = out.bytes().streamInput().readGenericValue();
    assertTrue(got instanceof BytesReference);
    ColumnBlock received = ColumnBlock.of(got);
    assertEquals(100, received.rows());
    assertEquals("epoch_millis", received.columns().get(3).pattern());
    for (int c = 0; c < 4; c++) {
      ColumnValues before = sent.columns().get(c);
      ColumnValues after = received.columns().get(c);
      assertEquals(before.kind(), after.kind());
      for (int row = 0; row < 100; row++) {
        assertEquals(before.from(row), after.from(row));
        assertEquals(before.to(row), after.to(row));
        for (int place = before.from(row); place < before.to(row); place++) {
          assertEquals(before.number(place), after.number(place));
          if (before.kind() == ValueKind.TEXT) {
            assertEquals(before.string(place), after.string(place));
          }
        }
      }
    }
  }

  @Test
  void kindsThatDifferMeet() {
    assertEquals(ValueKind.DOUBLE, ValueKind.LONG.with(ValueKind.DOUBLE));
    assertEquals(ValueKind.LONG, ValueKind.NONE.with(ValueKind.LONG));
    assertEquals(ValueKind.NANOS, ValueKind.MILLIS.with(ValueKind.NANOS));
    assertEquals(ValueKind.TEXT, ValueKind.BOOLEAN.with(ValueKind.LONG));
  }
}
