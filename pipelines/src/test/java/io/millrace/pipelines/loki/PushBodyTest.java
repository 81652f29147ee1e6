package io.millrace.pipelines.loki;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.millrace.pipelines.intake.MalformedBodyException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PushBodyTest {
  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void bothFormsGiveTheSameLines() throws IOException {
    List<PushBody.Stream> expected =
        List.of(
            new PushBody.Stream(
                Map.of("app", "shop", "level", "info"),
                List.of(
                    new PushBody.Entry(1_763_800_000_123_456_789L, "one", Map.of("k", "v")),
                    new PushBody.Entry(1_763_800_001_000_000_000L, "", Map.of()))));
    assertEquals(
        expected,
        PushBody.json(
            utf8(
                """
                {"other":[1],"streams":[{"stream":{"app":"shop","level":"info"},"more":{},
                "values":[["1763800000123456789","one",{"k":"v"}],["1763800001000000000",""]]}]}
                """)));
    assertEquals(expected, PushBody.protobuf(PushWire.example()));
  }

  @Test
  void labelsAreReadAsGoQuotesThem() throws IOException {
    assertEquals(
        Map.of("a", "x\"y\\z", "b", "\n\té", "c", ""),
        LabelSet.parse("{a=\"x\\\"y\\\\z\", b=\"\\n\\t\\u00e9\",c=\"\",}"));
    assertEquals(Map.of(), LabelSet.parse("{}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{a}",
        "{a=b}",
        "{a=\"b}",
        "{a=\"b\"",
        "{a=\"b\"}x",
        "{=\"b\"}",
        "{a=\"\\"
      })
  void brokenLabelsAreRefusedByPlace(String labels) {
    String said =
        assertThrows(MalformedBodyException.class, () -> LabelSet.parse(labels)).getMessage();
    assertTrue(said.contains("[labels] is [" + labels + "]"), said);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"streams\":{}}",
        "{\"streams\":[1]}",
        "{\"streams\":[{\"stream\":1}]}",
        "{\"streams\":[{\"values\":[1]}]}",
        "{\"streams\":[{\"values\":[[1,\"x\"]]}]}",
        "{\"streams\":[{\"values\":[[\"soon\",\"x\"]]}]}",
        "{\"streams\":[{\"values\":[[\"1\",\"x\",{},1]]}]}",
        "{\"streams\":[{\"values\":[[\"1\"]]}]}",
        "{}{}"
      })
  void brokenJsonIsRefused(String json) {
    assertThrows(MalformedBodyException.class, () -> PushBody.json(utf8(json)));
  }

  @Test
  void aBlockOfSnappyIsTakenApart() throws IOException {
    byte[] block = HexFormat.of().parseHex("0c0c61626364" + "1104"); // abcd and 8 bytes of it again
    assertArrayEquals(utf8("abcdabcdabcd"), SnappyBlock.decode(block, 100, "k"));
    String said =
        assertThrows(MalformedBodyException.class, () -> SnappyBlock.decode(block, 11, "the.key"))
            .getMessage();
    assertTrue(said.contains("[the.key]"), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ff", "ffffffffff", "ffffffff07", "0c0c6162", "05", "040861626364"})
  void whatIsNoBlockIsRefused(String hex) {
    assertThrows(
        MalformedBodyException.class,
        () -> SnappyBlock.decode(HexFormat.of().parseHex(hex), 1 << 20, "k"));
  }

  @Test
  void randomBodiesAreReadOrRefused() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] sound = PushWire.block(PushWire.example());
    for (int i = 0; i < 20_000; i++) {
      byte[] body = Arrays.copyOf(sound, 1 + random.nextInt(sound.length));
      for (int n = random.nextInt(4); n >= 0; n--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      }
      try {
        PushBody.protobuf(SnappyBlock.decode(body, 1 << 20, "k"));
      } catch (MalformedBodyException e) {
        // answered with 400
      } catch (IOException | RuntimeException e) {
        fail("seed " + seed + ", body " + i, e);
      }
    }
  }
}
