package io.millrace.write.logtext;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class BestTokensTest {
  private static float boost(String token) {
    return token.hashCode() % 4 / 4f;
  }

  /** As one enumeration overwrites its term; every token twice, as two segments may hold it. */
  private static void offerAll(BestTokens best, List<String> tokens, int most) {
    BytesRef term = new BytesRef(32);
    for (String token : tokens) {
      BytesRef bytes = new BytesRef(token);
      System.arraycopy(bytes.bytes, bytes.offset, term.bytes, 0, bytes.length);
      term.length = bytes.length;
      best.offer(term, boost(token));
      assertTrue(best.size() <= most, "holds " + best.size());
    }
  }

  @Test
  void keepsTheBestAndNoMore() {
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      tokens.add("id" + i);
      tokens.add("id" + i);
    }
    List<String> sorted =
        tokens.stream()
            .distinct()
            .sorted(
                Comparator.comparingDouble((String token) -> -boost(token))
                    .thenComparing(BytesRef::new))
            .toList();
    Random random = new Random(7);
    for (int most : new int[] {0, 1, 50, 4_999, 10_000}) {
      Collections.shuffle(tokens, random);
      BestTokens best = new BestTokens(most);
      offerAll(best, tokens, most);
      assertEquals(
          sorted.subList(0, Math.min(most, sorted.size())),
          best.tokens().stream().map(BytesRef::utf8ToString).toList());
    }
  }
}
