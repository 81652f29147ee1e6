package io.millrace.storage.columnarsource.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What fits is packed as {@link HexFormat} packs it, and comes back byte for byte. */
class HexTextTest {
  private static final String UUID = "54fadb41-2c4e-40cd-baed-9335e4c35a9e";

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void check(String text) {
    byte[] padded = bytes("xyz" + text + "0");
    int length = text.length();
    int flags = HexText.flags(padded, 3, length);
    assertEquals(true, HexText.fits(padded, 3, length, flags), text);
    ByteSink packed = new ByteSink(1);
    packed.writeByte(9);
    HexText.pack(padded, 3, length, flags, packed);
    assertArrayEquals(
        HexFormat.of().parseHex(text.replace("-", "")),
        Arrays.copyOfRange(packed.bytes, 1, packed.length),
        text);
    assertEquals(HexText.packedLength(length, flags), packed.length - 1);
    ByteSink again = new ByteSink(1);
    HexText.append(packed.bytes, 1, packed.length - 1, flags, again);
    assertEquals(text, new String(again.bytes, 0, again.length, StandardCharsets.UTF_8));
  }

  @Test
  void idsOfBothCases() {
    Random random = new Random(13);
    check(UUID);
    check(UUID.toUpperCase(Locale.ROOT));
    for (int length = 8; length <= 128; length += 2) {
      byte[] id = new byte[length / 2];
      random.nextBytes(id);
      check(HexFormat.of().formatHex(id));
      check(HexFormat.of().withUpperCase().formatHex(id));
    }
  }

  @Test
  void everyByteAtEveryPlaceOfAnId() {
    for (boolean upper : new boolean[] {false, true}) {
      String model = upper ? UUID.toUpperCase(Locale.ROOT) : UUID;
      int flags = HexText.flags(bytes(model), 0, model.length());
      Pattern digit = Pattern.compile(upper ? "[0-9A-F]" : "[0-9a-f]");
      for (int at = 0; at < model.length(); at++) {
        for (int b = 0; b < 256; b++) {
          byte[] text = bytes(model);
          text[at] = (byte) b;
          boolean dash = UUID.charAt(at) == '-';
          boolean fits = dash ? b == '-' : digit.matcher(String.valueOf((char) b)).matches();
          assertEquals(fits, HexText.fits(text, 0, text.length, flags), at + ": " + b);
        }
      }
    }
  }
}
