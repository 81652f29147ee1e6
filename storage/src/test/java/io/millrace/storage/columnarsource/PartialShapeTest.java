package io.millrace.storage.columnarsource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.columnarsource.text.JsonShape;
import io.millrace.storage.columnarsource.text.PartialShape;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a {@code _source} filter leaves of a shape, and which values are then not decoded. */
class PartialShapeTest {
  private static final String DOCUMENT =
      "{ \"a\" : {\"b\":1,\"c\":\"x\",\"d\":{\"e\":2}} ,\"list\":[{\"k\":1,\"v\":2},3,[{\"k\":4}]],"
          + "\"a.b\":true,\"a\\u0062\":5,\"z\":null}";

  private static byte[] shape(String json) {
    JsonShape shape = new JsonShape();
    byte[] text = json.getBytes(StandardCharsets.UTF_8);
    assertTrue(shape.split(text, 0, text.length), json);
    return Arrays.copyOf(shape.shape.bytes, shape.shape.length);
  }

  /**
   * The shape that is left with {@code #} for values, and the places of the values. A key with an
   * escape is left without a look at what it says.
   */
  private static String left(String[] includes, String... excludes) {
    PartialShape partial = PartialShape.of(shape(DOCUMENT), new WantedFields(includes, excludes));
    assertNotNull(partial);
    StringBuilder places = new StringBuilder();
    for (int hole = 0; hole < partial.holes(); hole++) {
      places.append(partial.keeps(hole) ? Integer.toString(hole) : "");
    }
    return new String(partial.left().bytes, 0, partial.left().length, StandardCharsets.UTF_8)
            .replace((char) JsonShape.STRING, '#')
            .replace((char) JsonShape.BARE, '#')
            .replace("\"a\\u0062\":#", "ESCAPED")
        + " "
        + places;
  }

  private static String[] of(String... paths) {
    return paths;
  }

  @Test
  void fieldsAtEveryDepthAreLeftOut() {
    assertEquals("{ESCAPED,\"z\":#} 89", left(of("z")));
    assertEquals("{\"a\":{\"c\":#},ESCAPED} 18", left(of("a.c")));
    assertEquals("{\"a\":{\"d\":{\"e\":#}},ESCAPED} 28", left(of("a.d.e")));
    assertEquals("{\"a\":{\"b\":#},\"a.b\":#,ESCAPED} 078", left(of("a.b")));
    assertEquals("{\"list\":[{\"v\":#},#,[{}]],ESCAPED} 458", left(of("list.v")));
    assertEquals(
        "{\"a\":{\"b\":#,\"c\":#,\"d\":{\"e\":#}},\"a.b\":#,ESCAPED} 01278", left(of("a")));
    assertEquals("{ESCAPED} 8", left(of("nowhere", "x.*")));
    assertEquals(
        "{\"a\":{\"c\":#,\"d\":{\"e\":#}},\"list\":[{\"k\":#,\"v\":#},#,[{\"k\":#}]],ESCAPED,\"z\":#}"
            + " 12345689",
        left(of(), "a.b"));
    assertEquals("{ESCAPED,\"z\":#} 89", left(of(), "a", "l*"));
  }

  @Test
  void whatIsNoObjectIsGivenWhole() {
    for (String broken :
        new String[] {"{\"a\":1", "{\"a\":1,}", "{\"a\":[1}", "{\"a\":1}}", "{\"a\":;}", "{1:2}"}) {
      JsonShape shape = new JsonShape();
      byte[] text = broken.getBytes(StandardCharsets.UTF_8);
      if (shape.split(text, 0, text.length)) {
        assertNull(
            PartialShape.of(
                Arrays.copyOf(shape.shape.bytes, shape.shape.length),
                new WantedFields(of("a"), of())),
            broken);
      }
    }
  }
}
