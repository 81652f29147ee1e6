package io.millrace.pipelines.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ObjectBytesTest {
  private static final byte[] NOTHING = new byte[0];
  private final ObjectBytes objects = new ObjectBytes();

  private String write(String value, byte[] common) throws IOException {
    objects.begin();
    objects.out().startObject().field("a", value).endObject();
    return new String(objects.behind(common), UTF_8);
  }

  @Test
  void eachObjectStandsAlone() throws IOException {
    assertEquals("{\"a\":\"1\"}", write("1", NOTHING));
    assertEquals("{\"a\":\"{\"}", write("{", NOTHING));
    String large = "x".repeat(100_000);
    assertEquals("{\"a\":\"" + large + "\"}", write(large, NOTHING));
    assertEquals("{\"a\":\"2\"}", write("2", NOTHING));
  }

  @Test
  void fieldsStandBehindThoseOfAnotherObject() throws IOException {
    byte[] common = "{\"r\":{\"s\":1}".getBytes(UTF_8);
    assertEquals("{\"r\":{\"s\":1},\"a\":\"1\"}", write("1", common));
    assertEquals("{\"r\":{\"s\":1},\"a\":\"\"}", write("", common));
    assertEquals("{\"a\":\"1\"}", write("1", NOTHING));
  }
}
