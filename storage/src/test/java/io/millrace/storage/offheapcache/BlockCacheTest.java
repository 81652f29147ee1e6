package io.millrace.storage.offheapcache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockCacheTest {
  private static final int BLOCK = 10_000;
  private static final int BLOCK_PAGES = 3;
  private static final int MB = 1 << 20;

  private final BlockCache cache = new BlockCache();

  @AfterEach
  void memoryGoesBack() {
    cache.close();
    assertEquals(new BlockCache.Figures(0, 0, 0, 0, 0), cache.figures());
  }

  /** What the block at a position holds, in every test. */
  private static byte[] content(long position, int length) {
    byte[] bytes = new byte[length];
    new Random(position).nextBytes(bytes);
    return bytes;
  }

  private static void put(BlockFile file, long position) {
    file.put(position, position + 7, content(position, BLOCK), 0, BLOCK);
  }

  /** What a reader does; true if the block was there. */
  private static boolean read(BlockFile file, long position) {
    try (CachedBlock block = file.get(position)) {
      if (block == null) {
        put(file, position);
        return false;
      }
      return true;
    }
  }

  @Test
  void nothingIsKeptWhileItIsOff() {
    BlockFile file = cache.open();
    put(file, 1);
    assertNull(file.get(1));
    file.close();
    assertEquals(0, cache.counters().misses.sum());
  }

  @Test
  void givesBackEveryPartOfWhatWasPut() {
    cache.resize(4 * MB);
    BlockFile file = cache.open();
    byte[] bytes = content(5, 70_001);
    file.put(5, 99, bytes, 1, 70_000);
    try (CachedBlock block = Objects.requireNonNull(file.get(5))) {
      assertEquals(70_000, block.length());
      assertEquals(99, block.next());
      for (int[] part : new int[][] {{0, 70_000}, {4095, 2}, {4096, 4096}, {69_999, 1}, {0, 0}}) {
        byte[] target = new byte[part[1] + 2];
        block.copy(part[0], target, 1, part[1]);
        assertArrayEquals(
            Arrays.copyOfRange(bytes, 1 + part[0], 1 + part[0] + part[1]),
            Arrays.copyOfRange(target, 1, 1 + part[1]));
      }
      byte[] target = new byte[10];
      assertThrows(IndexOutOfBoundsException.class, () -> block.copy(69_995, target, 0, 6));
      assertThrows(IndexOutOfBoundsException.class, () -> block.copy(-1, target, 0, 6));
    }
    assertNull(file.get(6));
    assertNull(cache.open().get(5));
    assertEquals(1, cache.counters().hits.sum());
    assertEquals(2, cache.counters().misses.sum());
  }

  @Test
  void neverMoreThanTheBound() {
    for (long bound : new long[] {4096, 64 * 1024, MB, 5 * MB + 4097, 40 * MB}) {
      cache.resize(bound);
      BlockFile file = cache.open();
      for (int i = 0; i < 6000; i++) {
        read(file, i % 5500);
        read(file, i % 50);
      }
      BlockCache.Figures figures = cache.figures();
      assertTrue(figures.capacityBytes() <= bound, figures::toString);
      assertTrue(figures.capacityBytes() > bound - 4096, figures::toString);
      assertTrue(figures.allocatedBytes() <= figures.capacityBytes(), figures::toString);
      assertEquals(figures.usedBytes(), figures.blocks() * BLOCK_PAGES * 4096);
      assertEquals(figures.blockBytes(), figures.blocks() * BLOCK);
      if (bound >= MB) {
        assertTrue(figures.usedBytes() > 0.99 * bound - BLOCK_PAGES * 4096, figures::toString);
      }
      file.close();
      assertEquals(0, cache.figures().blocks());
      assertEquals(0, cache.figures().usedBytes());
    }
    assertTrue(cache.counters().evictions.sum() > 0);
  }

  @Test
  void memoryIsTakenWhenItIsNeeded() {
    cache.resize(10L * MB);
    assertEquals(0, cache.figures().allocatedBytes());
    put(cache.open(), 1);
    assertEquals(MB, cache.figures().allocatedBytes());
  }

  @Test
  void pinnedBlockOutlivesEvictionResizeAndClose() {
    cache.resize(MB);
    BlockFile file = cache.open();
    put(file, 1);
    CachedBlock pinned = Objects.requireNonNull(file.get(1));
    file.close();
    assertNull(file.get(1));
    assertEquals(BLOCK_PAGES * 4096, cache.figures().usedBytes());
    BlockFile other = cache.open();
    for (int i = 0; i < 1000; i++) {
      read(other, i % 200);
    }
    byte[] target = new byte[BLOCK];
    pinned.copy(0, target, 0, BLOCK);
    assertArrayEquals(content(1, BLOCK), target);
    cache.resize(2 * MB);
    pinned.copy(0, target, 0, BLOCK);
    assertArrayEquals(content(1, BLOCK), target);
    cache.close();
    pinned.copy(0, target, 0, BLOCK);
    assertArrayEquals(content(1, BLOCK), target);
    pinned.close();
    assertThrows(RuntimeException.class, () -> pinned.copy(0, target, 0, BLOCK));
  }

  @Test
  void eightBytesAreReadAcrossPages() {
    cache.resize(4 * MB);
    BlockFile file = cache.open();
    byte[] bytes = content(8, 3 * 4096);
    file.put(8, 0, bytes, 0, bytes.length);
    ByteBuffer expected = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try (CachedBlock block = Objects.requireNonNull(file.get(8))) {
      for (int at = 0; at <= bytes.length - 8; at++) {
        assertEquals(expected.getLong(at), block.getLong(at));
      }
      assertThrows(IndexOutOfBoundsException.class, () -> block.getLong(bytes.length - 7));
      assertThrows(IndexOutOfBoundsException.class, () -> block.getLong(-1));
    }
  }

  @Test
  void viewsHaveABoundAndGoWithTheirBlocks() {
    try (BlockCache own = new BlockCache(1000)) {
      own.resize(MB);
      BlockFile file = own.open();
      put(file, 1);
      put(file, 2);
      try (CachedBlock one = Objects.requireNonNull(file.get(1));
          CachedBlock two = Objects.requireNonNull(file.get(2))) {
        one.attach("one", 600);
        two.attach("two", 600);
        assertEquals("one", one.view());
        assertNull(two.view());
        two.attach("two", 300);
        two.attach("another", 1);
        assertEquals("two", two.view());
        assertEquals(900, own.viewBytes());
        two.attach("two", 500); // outgrew the bound
        assertNull(two.view());
        one.attach("one", 1000);
        assertEquals(1000, own.viewBytes());
        one.detach();
        assertEquals(0, own.viewBytes());
        one.attach("one", 700);
      }
      file.close();
      assertEquals(0, own.viewBytes());
    }
  }

  @Test
  void closedFileTakesNothing() {
    cache.resize(MB);
    BlockFile file = cache.open();
    put(file, 1);
    put(file, 2);
    BlockFile other = cache.open();
    put(other, 1);
    file.close();
    put(file, 3);
    assertNull(file.get(3));
    assertEquals(1, cache.figures().blocks());
    assertEquals(0, cache.counters().evictions.sum());
  }

  @Test
  void coldBlocksAreTurnedAwayOnceTheCacheIsFull() {
    cache.resize(MB);
    BlockFile file = cache.open();
    int room = MB / 4096 / BLOCK_PAGES;
    for (int i = 0; i < room; i++) {
      read(file, i);
    }
    long admitted = cache.counters().admissions.sum();
    for (int i = room + 1; i < 2 * room; i++) {
      read(file, i);
    }
    // a few keys collide in the sketch
    assertTrue(cache.counters().admissions.sum() - admitted < room / 10);
  }

  /** A hot set that is read often, and scans over cold blocks: LRU of the same size for scale. */
  @Test
  void frequencyBeatsRecency() {
    cache.resize(4 * MB);
    int room = 4 * MB / 4096 / BLOCK_PAGES;
    Map<Long, Boolean> lru =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > room;
          }
        };
    BlockFile file = cache.open();
    Random random = new Random(3);
    long lruHits = 0;
    long hits = 0;
    long reads = 0;
    for (int round = 0; round < 60; round++) {
      for (int i = 0; i < 1000; i++) {
        // hot: two thirds of the room; every second round, a scan of five times the room
        long key = (long) (random.nextDouble() * random.nextDouble() * room * 2 / 3);
        hits += read(file, key) ? 1 : 0;
        lruHits += lru.put(key, true) != null ? 1 : 0;
        reads++;
      }
      if (round % 2 == 1) {
        for (int i = 0; i < 5 * room; i++) {
          long key = 1_000_000L + round * 10_000L + i;
          read(file, key);
          lru.put(key, true);
        }
      }
    }
    assertTrue(hits > lruHits, hits + " against " + lruHits);
    assertTrue(hits > 0.95 * reads, hits + " of " + reads);
  }

  @Test
  void largeBlocksDoNotFlushTheCache() {
    cache.resize(MB);
    BlockFile file = cache.open();
    read(file, 1);
    file.put(2, 0, new byte[MB / 2], 0, MB / 2);
    file.put(3, 0, new byte[0], 0, 0);
    assertNull(file.get(2));
    assertNull(file.get(3));
    assertTrue(read(file, 1));
    assertEquals(2, cache.counters().rejections.sum());
  }

  @Test
  void manyReadersWhileFilesCloseAndTheBoundChanges() throws Exception {
    cache.resize(2 * MB);
    AtomicBoolean stop = new AtomicBoolean();
    LongAdder hits = new LongAdder();
    List<Future<?>> readers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
      for (int thread = 0; thread < 4; thread++) {
        int seed = thread;
        Callable<Void> reader =
            () -> {
              Random random = new Random(seed);
              byte[] target = new byte[BLOCK];
              while (!stop.get()) {
                try (BlockFile file = cache.open()) {
                  for (int i = 0; i < 2000; i++) {
                    long position = random.nextInt(1 + random.nextInt(400));
                    try (CachedBlock block = file.get(position)) {
                      if (block == null) {
                        put(file, position);
                      } else {
                        hits.increment();
                        int from = random.nextInt(BLOCK - 500);
                        block.copy(from, target, 0, 500);
                        byte[] expected = content(position, BLOCK);
                        assertTrue(
                            Arrays.equals(expected, from, from + 500, target, 0, 500),
                            "block " + position + " at " + from);
                      }
                    }
                  }
                }
              }
              return null;
            };
        readers.add(threads.submit(reader));
      }
      // until readers have met blocks of each other, however few cores they share
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
      for (int change = 0;
          change < 30 || hits.sum() == 0 && System.nanoTime() - end < 0;
          change++) {
        TimeUnit.MILLISECONDS.sleep(20);
        BlockCache.Figures figures = cache.figures();
        assertTrue(figures.allocatedBytes() <= figures.capacityBytes(), figures::toString);
        cache.resize(change % 5 == 4 ? 0 : (change % 3 + 1) * MB);
      }
      stop.set(true);
      for (Future<?> reader : readers) {
        reader.get(120, TimeUnit.SECONDS);
      }
      assertTrue(hits.sum() > 0);
    } finally {
      stop.set(true);
    }
    assertEquals(0, cache.figures().blocks());
    assertEquals(0, cache.figures().usedBytes());
  }

  @Test
  void memoryIsNotTheHeaps() {
    OffHeapMemory memory = new OffHeapMemory();
    memory.grow(4096);
    memory.grow(8192);
    assertEquals(12_288, memory.bytes());
    assertTrue(memory.slab(1).isDirect());
    assertFalse(memory.slab(0).isReadOnly());
    var slab = memory.slab(0);
    memory.close();
    assertNotNull(slab);
    assertThrows(IllegalStateException.class, () -> slab.get(0));
  }
}
