package io.millrace.guard.bodies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.bytes.CompositeBytesReference;
import org.opensearch.core.xcontent.XContentBuilder;

class ParsedFormTest {
  private static final int MANY = 20_000;

  private static String list(String value) {
    return "{\"a\":[" + (value + ",").repeat(MANY) + value + "]}";
  }

  private static long of(String json) {
    return ParsedForm.of(new BytesArray(json), XContentType.JSON);
  }

  /** What stock's own parser allocates for it, with the garbage that it makes on the way. */
  private static long allocated(BytesReference body) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) { // the first one loads classes
      long before = threads.getCurrentThreadAllocatedBytes();
      Map<String, Object> map = XContentHelper.convertToMap(body, false, XContentType.JSON).v2();
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      assertFalse(map.isEmpty());
    }
    return least;
  }

  private static void assertNear(long estimate, long allocated, String what) {
    assertTrue(
        estimate > allocated / 4 && estimate < 3 * allocated,
        what + ": " + estimate + " estimated, " + allocated + " allocated");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"\":0}",
        "[0]",
        "{\"a\":{}}",
        "[[]]",
        "\"\"",
        "123456789",
        "1.5",
        "\"a text of some length that is told by its length and nothing else, as texts are\"",
        "{\"took\":1200,\"host\":\"web-7\",\"tags\":[\"a\",\"b\"],\"ok\":true,\"user\":{\"id\":\"u1\"}}"
      })
  void isNearWhatStockAllocates(String value) {
    String json = list(value);
    assertNear(of(json), allocated(new BytesArray(json)), value);
    assertTrue(of(json) <= (long) ParsedForm.WORST * json.length(), value);
  }

  @ParameterizedTest
  @EnumSource(XContentType.class)
  void isTheSameInEveryFormat(XContentType type) throws Exception {
    BytesReference json = objects(XContentType.JSON);
    assertNear(ParsedForm.of(objects(type), type), allocated(json), type.name());
  }

  private static BytesReference objects(XContentType type) throws Exception {
    try (XContentBuilder builder = XContentBuilder.builder(type.xContent())) {
      builder.startObject().startArray("a");
      for (int i = 0; i < MANY; i++) {
        builder.startObject().field("n", i).field("t", "text").endObject();
      }
      return BytesReference.bytes(builder.endArray().endObject());
    }
  }

  @Test
  void whatStandsInTextsIsNoStructure() {
    long text = of("{\"a\":\"" + "x".repeat(8_000) + "\"}");
    assertEquals(text, of("{\"a\":\"" + "{}[],:\\\"".repeat(1_000) + "\"}"));
    // with one character beyond Latin-1 each takes two bytes
    assertTrue(of("{\"a\":\"" + "日x".repeat(4_000) + "\"}") > 2 * 8_000);
  }

  /** A processor {@code json} makes maps of them. */
  @Test
  void inAPipelineWhatStandsInTextsIsStructure() {
    String maps = "[" + "{},".repeat(MANY) + "{}]";
    BytesReference text = new BytesArray("{\"a\":\"" + maps + "\"}");
    long piped = ParsedForm.ofPiped(text, XContentType.JSON);
    assertNear(piped, allocated(new BytesArray("{\"a\":" + maps + "}")), "text");
    assertTrue(piped > 20 * ParsedForm.of(text, XContentType.JSON));
  }

  @Test
  void aTextMayComeInPartsOfAnyLength() {
    String json = list("{\"a\\\"\":[1,\"b\",{\"c\":\"\\\\\"}], \"d\" : null}");
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    BytesReference[] parts = new BytesReference[(bytes.length + 6) / 7];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new BytesArray(bytes, 7 * i, Math.min(7, bytes.length - 7 * i));
    }
    assertEquals(of(json), ParsedForm.of(CompositeBytesReference.of(parts), XContentType.JSON));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a", "]]]]", "{{{{{{", "no json", "\\", "\"", ""})
  void whatIsNoJsonIsLeftToStock(String text) {
    assertTrue(of(text) >= 0);
    assertTrue(ParsedForm.of(new BytesArray(text), XContentType.CBOR) >= 0);
  }
}
