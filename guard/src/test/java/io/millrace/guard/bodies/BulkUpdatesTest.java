package io.millrace.guard.bodies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.bytes.CompositeBytesReference;

class BulkUpdatesTest {
  private static final String MAPS = "[" + "{},".repeat(1_000) + "{}]";
  private static final String DOC = "{\"doc\":{\"a\":" + MAPS + "}}";
  private static final String SCRIPT =
      "{\"script\":{\"source\":\"1\",\"params\":{\"a\":" + MAPS + "}}}";

  private static long of(String... lines) {
    return BulkUpdates.of(new BytesArray(String.join("\n", lines) + "\n"));
  }

  private static long form(String json) {
    return ParsedForm.of(new BytesArray(json), XContentType.JSON);
  }

  @Test
  void documentsStayBytes() {
    assertEquals(
        0,
        of(
            "{\"index\":{\"_id\":\"1\"}}",
            DOC,
            " { \"create\" : { } }",
            SCRIPT,
            "{\"delete\":{\"_id\":\"update\"}}",
            "{\"index\":{\"_index\":\"update\"}}",
            SCRIPT));
  }

  @Test
  void updatesAreMadeOneByOneAndTheirScriptsAreKept() {
    String update = "{\"update\":{\"_id\":\"1\"}}";
    assertEquals(form(DOC), of(update, DOC, update, "{\"doc\":{}}", update, DOC));
    assertEquals(2 * form(SCRIPT), of(update, SCRIPT, update, SCRIPT));
    assertEquals(
        form(DOC) + form(SCRIPT), of("{\"delete\":{}}", update, DOC, "{ \"update\":{}}", SCRIPT));
    // the line of an update that is the last has no end
    assertEquals(form(DOC), BulkUpdates.of(new BytesArray(update + "\n" + DOC)));
  }

  @Test
  void namesThatAreEscapedHideNothing() {
    assertEquals(form(DOC), of("{\"\\u0075pdate\":{}}", DOC));
    String hidden = SCRIPT.replace("script", "\\u0073cript");
    assertEquals(2 * form(hidden), of("{\"update\":{}}", hidden, "{\"update\":{}}", hidden));
  }

  @Test
  void aBulkMayComeInPartsOfAnyLength() {
    String bulk =
        "{\"index\":{}}\n{\"x\":\"y\"}\n{\"update\":{\"_id\":\"1\"}}\n"
            + DOC
            + "\n{\"delete\":{}}\n{\"update\":{}}\n"
            + SCRIPT
            + "\n";
    byte[] bytes = bulk.getBytes(StandardCharsets.UTF_8);
    for (int size : new int[] {1, 2, 7, 64, 1_000}) {
      BytesReference[] parts = new BytesReference[(bytes.length + size - 1) / size];
      for (int i = 0; i < parts.length; i++) {
        parts[i] = new BytesArray(bytes, size * i, Math.min(size, bytes.length - size * i));
      }
      assertEquals(form(DOC) + form(SCRIPT), BulkUpdates.of(CompositeBytesReference.of(parts)));
    }
    assertTrue(form(DOC) > 0);
  }
}
