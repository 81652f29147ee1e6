package io.millrace.storage.columnarsource.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
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

  /** Splits with an object that has seen other texts, and with a new one: both say the same. */
  private static void check(JsonShape used, byte[] text, int from, int end) {
    JsonShape fresh = new JsonShape();
    byte[] before = Arrays.copyOf(used.shape.bytes, used.shape.length);
    boolean taken = fresh.split(text, from, end);
    String shown = new String(text, from, end - from, StandardCharsets.ISO_8859_1);
    assertEquals(taken, used.split(text, from, end), shown);
    assertFalse(fresh.same);
    if (!taken) {
      assertFalse(used.same);
      return;
    }
    byte[] shape = Arrays.copyOf(fresh.shape.bytes, fresh.shape.length);
    assertArrayEquals(shape, Arrays.copyOf(used.shape.bytes, used.shape.length), shown);
    assertEquals(fresh.holes, used.holes, shown);
    for (int i = 0; i < fresh.holes; i++) {
      assertEquals(fresh.starts[i], used.starts[i], shown);
      assertEquals(fresh.ends[i], used.ends[i], shown);
    }
    if (used.same) {
      assertArrayEquals(before, shape, shown);
    }
  }

  @Test
  void theShapeBeforeDecidesNothing() {
    JsonShape used = new JsonShape();
    boolean repeated = false;
    for (String text :
        new String[] {
          "{}",
          "{}",
          "{} ",
          "{",
          "{\"a\":\"x\",\"b\":1}",
          "{\"a\":\"longer \\\" value\",\"b\":-1.5e+3}",
          "{\"a\":\"\",\"b\":true}",
          "{\"a\":\"x\",\"b\":}",
          "{\"a\":\"x\",\"b\":1} ",
          "{\"a\":\"x\",\"b\":1",
          "{\"a\":\"x\" :1,\"b\":1}",
          "{\"a\":\"x\",\"b\":\"1\"}",
          "{\"a\":x,\"b\":1}",
          "{\"a\":\"x,\"b\":1}",
          "{\"a\":\"x\\\",\"b\":1}",
          "{\"a\":[\"x\",\"y\"]}",
          "{\"a\":[\"x\" ,\"y\"]}",
          "{\"a\":[\"x\",\"y\",\"z\"]}",
          "{\"a\":[\"x\",\"y\":1]}",
          "{\"a\":[\"\u0001\",\"\u0002\"]}",
          "{\"a\u0001\":1}",
          "{\"a\":\"\u00e9\ud83d\ude00\"}",
          "{\"a\":\u00e9}"
        }) {
      for (int time = 0; time < 2; time++) {
        check(used, bytes(text), 0, bytes(text).length);
        repeated |= used.same;
      }
      byte[] amid = bytes("7\"" + text + "\"7");
      check(used, amid, 2, amid.length - 2);
    }
    assertTrue(repeated);
  }

  @Test
  void randomTextsOneAfterAnother() {
    Random random = new Random(11);
    JsonShape used = new JsonShape();
    byte[] text = bytes("{\"time\":\"12:30\",\"n\":[1,2.5,null],\"o\":{\"k\":\"a\\\\b\"}}");
    byte[] alphabet = bytes("\"\"\"\\:,{}[] a1-\u0001\u0002\u00e9\n");
    int same = 0;
    for (int round = 0; round < 50_000; round++) {
      byte[] changed = text.clone();
      for (int n = random.nextInt(3); n > 0; n--) {
        changed[random.nextInt(text.length)] = alphabet[random.nextInt(alphabet.length)];
      }
      int end = random.nextInt(20) == 0 ? random.nextInt(text.length + 1) : text.length;
      check(used, changed, 0, end);
      same += used.same ? 1 : 0;
      if (round % 100 == 99 && new JsonShape().split(changed, 0, end)) {
        text = changed;
      }
    }
    assertTrue(same > 1_000, "texts with the shape before them: " + same);
  }

  @Test
  void closingQuotes() {
    Random random = new Random(12);
    for (int round = 0; round < 50_000; round++) {
      byte[] text = new byte[random.nextInt(40)];
      random.nextBytes(text);
      for (int n = random.nextInt(5); n > 0 && text.length > 0; n--) {
        text[random.nextInt(text.length)] = (byte) (random.nextBoolean() ? '"' : '\\');
      }
      int from = random.nextInt(text.length + 1);
      int end = from + random.nextInt(text.length - from + 1);
      int close = from;
      while (close < end && text[close] != '"') {
        close += text[close] == '\\' ? 2 : 1;
      }
      assertEquals(close < end ? close : -1, JsonShape.closingQuote(text, from, end));
    }
  }
}
