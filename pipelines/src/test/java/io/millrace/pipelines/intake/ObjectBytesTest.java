package io.millrace.pipelines.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.pipelines.intake.ObjectBytes.Name;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.xcontent.XContentBuilder;

/** What is written is what OpenSearch's own generator writes. */
class ObjectBytesTest {
  private static final byte[] NOTHING = new byte[0];
  private static final Name A = Name.of("a");

  private final ObjectBytes objects = new ObjectBytes();

  private String write(String value, byte[] common) {
    objects.begin(common);
    objects.name(A);
    objects.text(value);
    return new String(objects.end(), UTF_8);
  }

  @Test
  void eachObjectStandsAlone() {
    assertEquals("{\"a\":\"1\"}", write("1", NOTHING));
    assertEquals("{\"a\":\"{\"}", write("{", NOTHING));
    String large = "x".repeat(100_000);
    assertEquals("{\"a\":\"" + large + "\"}", write(large, NOTHING));
    assertEquals("{\"a\":\"2\"}", write("2", NOTHING));
  }

  @Test
  void fieldsStandBehindThoseOfAnotherObject() {
    byte[] common = "{\"r\":{\"s\":1}".getBytes(UTF_8);
    assertEquals("{\"r\":{\"s\":1},\"a\":\"1\"}", write("1", common));
    assertEquals("{\"r\":{\"s\":1},\"a\":\"\"}", write("", common));
    assertEquals("{\"a\":\"1\"}", write("1", NOTHING));
  }

  @Test
  void anObjectWithoutFieldsIsNoPrefix() {
    objects.begin(NOTHING);
    assertEquals(0, objects.open().length);
    objects.startObject(A);
    objects.endObject();
    assertEquals("{\"a\":{}", new String(objects.open(), UTF_8));
  }

  /** Every character of one and two bytes, at every place of a word of eight. */
  @Test
  void everyCharacterAtEveryPlace() throws IOException {
    for (int c = 0; c < 0x800; c++) {
      for (int at = 0; at < 9; at++) {
        sameText("x".repeat(at) + (char) c + "y".repeat(11 - at));
      }
      sameText("" + (char) c);
    }
  }

  @Test
  void anyText() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(40); n > 0; n--) {
        text.appendCodePoint(
            switch (random.nextInt(6)) {
              case 0 -> random.nextInt(0x80);
              case 1 -> 0x10000 + random.nextInt(0x1000);
              case 2 -> 0x4E00 + random.nextInt(0x1000);
              default -> 'a' + random.nextInt(26);
            });
      }
      sameText(text.toString());
    }
  }

  private void sameText(String text) throws IOException {
    assertEquals(
        generated(out -> out.field(text, text)),
        own(() -> {
          objects.name(text);
          objects.text(text);
        }));
  }

  /** As a decoder of the JDK reads them, whatever stands before and behind. */
  @Test
  void bytesThatAreNoTextBecomeReplacements() {
    Random random = new Random(9);
    for (int i = 0; i < 50_000; i++) {
      byte[] bytes = new byte[3 + random.nextInt(30)];
      random.nextBytes(bytes);
      for (int n = random.nextInt(bytes.length); n > 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) ('a' + n % 26);
      }
      int from = random.nextInt(3);
      objects.begin(NOTHING);
      objects.name(A);
      objects.text(bytes, from, bytes.length - from);
      byte[] raw = objects.end();
      assertEquals(
          write(new String(bytes, from, bytes.length - from, UTF_8), NOTHING),
          new String(raw, UTF_8));
      assertArrayEquals(new String(raw, UTF_8).getBytes(UTF_8), raw);
    }
  }

  @Test
  void numbersTimesAndIds() throws IOException {
    Random random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      long whole = random.nextLong() >> random.nextInt(64);
      double real = i % 2 == 0 ? whole / 8.0 : Double.longBitsToDouble(whole);
      double finite = Double.isFinite(real) ? real : 0.5;
      long nanos = random.nextLong();
      boolean flag = random.nextBoolean();
      assertEquals(
          generated(out -> {
            out.field("a", whole).field("b", finite).field("c", IsoTime.of(0, nanos));
            out.field("d", flag).nullField("e").startArray("f").value(whole).value(-whole);
            out.startObject().field("g", "00ff1a").endObject().startArray().endArray().endArray();
          }),
          own(() -> {
            objects.name("a");
            objects.value(whole);
            objects.name("b");
            objects.value(finite);
            objects.name("c");
            objects.time(0, nanos);
            objects.name("d");
            objects.value(flag);
            objects.name("e");
            objects.nullValue();
            objects.startArray(Name.of("f"));
            objects.value(whole);
            objects.value(-whole);
            objects.startObject();
            objects.name("g");
            objects.hex(new byte[] {9, 0, -1, 0x1a}, 1, 3);
            objects.endObject();
            objects.startArray();
            objects.endArray();
            objects.endArray();
          }));
    }
  }

  private interface Fields {
    void to(XContentBuilder out) throws IOException;
  }

  private static String generated(Fields fields) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (XContentBuilder out = new XContentBuilder(XContentType.JSON.xContent(), bytes)) {
      out.startObject();
      fields.to(out);
      out.endObject();
    }
    return bytes.toString(UTF_8);
  }

  private String own(Runnable fields) {
    objects.begin(NOTHING);
    fields.run();
    return new String(objects.end(), UTF_8);
  }
}
