package io.millrace.pipelines.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.opensearch.index.mapper.Uid;

class BatchIdsTest {
  private static final long SECOND = 1_795_000_000;

  private static BatchIds of(String body) {
    return new BatchIds(body.getBytes(UTF_8));
  }

  @Test
  void theSameBodyGivesTheSameIdsInAnyOrder() {
    BatchIds first = of("a");
    String one = first.of(1, SECOND);
    String two = first.of(2, SECOND + 5);
    BatchIds second = of("a");
    assertEquals(two, second.of(2, SECOND + 5));
    assertEquals(one, second.of(1, SECOND));
    assertNotEquals(one, of("b").of(1, SECOND));
    assertNotEquals(first.fresh(), first.fresh());
  }

  @Test
  void everyPlaceHasItsOwn() {
    BatchIds ids = of("a");
    Set<String> all = new HashSet<>();
    for (int place = 0; place < 200_000; place++) {
      assertTrue(all.add(ids.of(place, SECOND)), "" + place);
    }
    for (int place : new int[] {1 << 24, 1 << 30, Integer.MAX_VALUE}) {
      assertTrue(all.add(ids.of(place, SECOND)), "" + place);
    }
  }

  /** What a shard keeps is the bytes, and a later second is greater whatever the body. */
  @Test
  void idsOfALaterSecondComeLater() {
    long[] seconds = {0, 1, 255, 256, 65_536, SECOND, SECOND + 1, SECOND + 256, (1L << 32) - 1};
    for (int i = 1; i < seconds.length; i++) {
      for (int body = 0; body < 50; body++) {
        BytesRef before = kept(of("b" + body).of(70_000, seconds[i - 1]));
        BytesRef after = kept(of("a" + body).of(0, seconds[i]));
        assertTrue(before.compareTo(after) < 0, seconds[i - 1] + " " + seconds[i]);
      }
    }
  }

  private static BytesRef kept(String id) {
    byte[] bytes = Base64.getUrlDecoder().decode(id);
    BytesRef kept = Uid.encodeId(id);
    assertEquals(0, bytes.length % 3);
    assertEquals(id, Uid.decodeId(kept.bytes, kept.offset, kept.length));
    assertTrue(kept.length <= bytes.length + 1, id);
    return kept;
  }
}
