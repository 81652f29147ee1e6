package io.millrace.storage.columnarsource.text;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Base64TextTest {
  @Test
  void whatTheEncoderWritesComesBackFromItsBytes() {
    Random random = new Random(11);
    for (int length = 0; length < 200; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      byte[] text = Base64.getEncoder().encode(bytes);
      // between other bytes, as in a block
      byte[] block = new byte[text.length + 7];
      Arrays.fill(block, (byte) '=');
      System.arraycopy(text, 0, block, 3, text.length);
      assertTrue(
          Base64Text.fits(block, 3, text.length), () -> new String(text, StandardCharsets.UTF_8));
      ByteSink decoded = new ByteSink(1);
      Base64Text.decode(block, 3, text.length, decoded);
      assertArrayEquals(bytes, Arrays.copyOf(decoded.bytes, decoded.length));
      ByteSink encoded = new ByteSink(1);
      Base64Text.append(decoded.bytes, 0, decoded.length, encoded);
      assertArrayEquals(text, Arrays.copyOf(encoded.bytes, encoded.length));
      assertEquals(text.length, Base64Text.length(length));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Q",
        "QQ",
        "QQ=",
        "QR==",
        "QUJ=",
        "QUK=",
        "====",
        "Q===",
        "QQ==QQ==",
        "Q=Q=",
        "QUJD\n",
        "QU-_",
        "QUJDRA",
        "QUJ ",
        "\\/JD",
        "\u00e9\u00e9",
        "="
      })
  void whatWouldComeBackOtherwiseIsRefused(String value) {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    assertFalse(Base64Text.fits(text, 0, text.length));
  }
}
