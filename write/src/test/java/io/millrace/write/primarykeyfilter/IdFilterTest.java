package io.millrace.write.primarykeyfilter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class IdFilterTest {
  private static BytesRef id(long number) {
    return new BytesRef("log-" + Long.toString(number * 0x9E3779B97F4A7C15L, 36));
  }

  private static boolean add(IdFilter filter, long number) {
    return filter.add(filter.hash(id(number)));
  }

  @Test
  void neverForgetsAnIdThroughAllLayers() {
    IdFilter filter = new IdFilter(0, 7, bytes -> true);
    int ids = 40 * IdFilter.LEAST_IDS;
    for (int i = 0; i < ids; i++) {
      add(filter, i);
    }
    for (int i = 0; i < ids; i++) {
      assertFalse(add(filter, i), "forgotten: " + i);
    }
  }

  @Test
  void erringIsRare() {
    for (long expected : new long[] {0, 500_000}) {
      IdFilter filter = new IdFilter(expected, 11, bytes -> true);
      int errors = 0;
      for (int i = 0; i < 500_000; i++) {
        errors += add(filter, i) ? 0 : 1;
      }
      assertTrue(errors < 5_000, expected + ": " + errors);
      assertEquals(500_000.0, filter.ids(), 25_000.0);
    }
  }

  @Test
  void agreesWithASetOnRandomIdsOfAllLengths() {
    Random random = new Random(3);
    IdFilter filter = new IdFilter(0, random.nextLong(), bytes -> true);
    Set<BytesRef> reference = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[random.nextInt(6)];
      random.nextBytes(bytes);
      BytesRef id = new BytesRef(bytes);
      boolean certainlyNew = filter.add(filter.hash(id));
      assertTrue(reference.add(id) || !certainlyNew, () -> "known and yet new: " + id);
    }
  }

  @Test
  void anAnnouncedNumberOfIdsNeedsOneLayer() {
    AtomicLong asked = new AtomicLong();
    IdFilter filter =
        new IdFilter(
            200_000,
            5,
            bytes -> {
              asked.incrementAndGet();
              return true;
            });
    for (int i = 0; i < 180_000; i++) {
      add(filter, i);
    }
    assertEquals(1, asked.get());
    assertEquals(200_000 * IdFilter.BITS_PER_ID / Byte.SIZE, filter.bytes(), 32);
  }

  @Test
  void isFullWhereMemoryIsRefused() {
    IdFilter none = new IdFilter(0, 1, bytes -> false);
    assertTrue(none.full());
    assertEquals(0, none.bytes());
    assertFalse(add(none, 1));

    AtomicLong left = new AtomicLong(40_000);
    IdFilter one = new IdFilter(0, 1, bytes -> left.addAndGet(-bytes) >= 0);
    assertFalse(one.full());
    for (int i = 0; i < 2 * IdFilter.LEAST_IDS; i++) {
      add(one, i);
    }
    assertTrue(one.full());
    assertFalse(add(one, 5), "what it holds it still knows");
  }

  @Test
  void losesNothingBetweenThreads() throws Exception {
    IdFilter filter = new IdFilter(0, 13, bytes -> true);
    int threads = 4;
    int each = 100_000;
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int first = t * each;
        running.add(
            pool.submit(() -> {
              for (int i = first; i < first + each; i++) {
                add(filter, i);
                assertFalse(add(filter, i));
              }
            }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
    for (int i = 0; i < threads * each; i++) {
      assertFalse(add(filter, i), "forgotten: " + i);
    }
  }
}
