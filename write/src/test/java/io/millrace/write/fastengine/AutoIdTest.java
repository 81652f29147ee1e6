package io.millrace.write.fastengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.opensearch.common.UUIDs;
import org.opensearch.index.mapper.Uid;

class AutoIdTest {
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private static void same(String id) {
    assertEquals(Uid.encodeId(id), AutoId.encode(id), id);
  }

  @Test
  void idsOfTheNode() {
    for (int i = 0; i < 10_000; i++) {
      same(UUIDs.base64UUID());
    }
  }

  @Test
  void everyFirstByteAndRandomIds() {
    Random random = new Random(7);
    for (int i = 0; i < 200_000; i++) {
      StringBuilder id = new StringBuilder();
      String from = i % 10 == 0 ? ALPHABET + "+/= \u00e4\u20ac" : ALPHABET;
      for (int c = 0; c < 20; c++) {
        id.append(from.charAt(random.nextInt(from.length())));
      }
      same(id.toString());
    }
    for (int first = 0; first < 64; first++) {
      for (int second = 0; second < 64; second++) {
        same("" + ALPHABET.charAt(first) + ALPHABET.charAt(second) + "AAAAAAAAAAAAAAAAAA");
      }
    }
  }

  @Test
  void othersAreStocks() {
    for (String id :
        new String[] {
          "12345678901234567890", "1234567890123456789a", "a", "1", "\ud83d\ude00 ids"
        }) {
      same(id);
    }
    assertThrows(IllegalArgumentException.class, () -> AutoId.encode(""));
  }
}
