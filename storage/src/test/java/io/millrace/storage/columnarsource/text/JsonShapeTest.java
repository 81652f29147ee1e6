package io.millrace.storage.columnarsource.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Every byte of a text goes into its shape or into a value; what would not is refused. */
class JsonShapeTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void shapes() {
    JsonShape shape = new JsonShape();
    byte[] text = bytes("{ \"a\" : 1,\"b\":[\"x\\\"y\",true,{}],\"c\":{\"d\":null}}\n");
    assertTrue(shape.split(text, 0, text.length));
    assertEquals(
        "{ \"a\" : \2,\"b\":[\1,\2,{}],\"c\":{\"d\":\2}}\n",
        new String(shape.shape.bytes, 0, shape.shape.length, StandardCharsets.UTF_8));
    assertEquals(4, shape.holes);
    var paths = JsonShape.paths(shape.shape.bytes, 0, shape.shape.length);
    assertEquals(4, paths.size());
    assertEquals(4, paths.stream().distinct().count());
    for (String refused :
        new String[] {"", "[1]", " {}", "{\"a", "{\"a\u0001\":1}", "{\u0002}", "{\u00e9}"}) {
      assertFalse(shape.split(bytes(refused), 0, bytes(refused).length), refused);
    }
  }
}
