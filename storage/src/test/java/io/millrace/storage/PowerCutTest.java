package io.millrace.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.corpus.LogGenerator;
import io.millrace.kernel.metric.Metric;
import io.millrace.storage.columnarsource.ColumnarSourceCodec;
import io.millrace.storage.columnarsource.ColumnarSourceFeature;
import io.millrace.storage.offheapcache.BlockCache;
import io.millrace.storage.offheapcache.BlockCaches;
import io.millrace.storage.ordinalpostings.OrdinalPostingsCodec;
import io.millrace.storage.packedids.PackedIdsCodec;
import io.millrace.storage.zstandard.ZstandardCodec;
import io.millrace.storage.zstandard.ZstandardFeature;
import io.millrace.storage.zstandard.ZstandardVariant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.MMapDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Power cuts, errors and full disks in the middle of flush, merge and commit, with every codec of
 * ours and mixtures of them: what was committed is there, byte for byte, and nothing leaks.
 *
 * <p>Each seed is one index with three lives. {@code -Dmillrace.powercut.seeds=} (default 24 of
 * each kind) makes it longer, {@code -Dmillrace.powercut.first=} begins at another seed; a failure
 * names its own.
 */
class PowerCutTest {
  private static final int SEEDS = Integer.getInteger("millrace.powercut.seeds", 24);
  private static final int FIRST = Integer.getInteger("millrace.powercut.first", 0);
  private static final int LIVES = 3;

  private final List<byte[]> sources = sources();

  @TempDir Path folder;

  private static List<byte[]> sources() {
    LogGenerator generator = new LogGenerator(17);
    List<byte[]> sources = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      sources.add(generator.next());
    }
    sources.set(5, new byte[0]); // a document without _source
    sources.set(
        11, "{ \"n\" : 1.50e1 ,\"message\":\"caf\\u00e9\"}".getBytes(StandardCharsets.UTF_8));
    byte[] noise = new byte[70_000];
    new Random(3).nextBytes(noise);
    sources.set(19, noise);
    sources.set(23, "{\"message\": cut".getBytes(StandardCharsets.UTF_8));
    return sources;
  }

  private static List<List<Codec>> families() {
    List<Codec> zstandard =
        Stream.of(ZstandardVariant.values())
            .map(variant -> (Codec) ZstandardCodec.registered(variant))
            .toList();
    List<Codec> columns =
        Stream.of(ZstandardVariant.values()).map(ColumnarSourceCodec::writing).toList();
    List<Codec> packed = columns.stream().map(codec -> (Codec) new PackedIdsCodec(codec)).toList();
    List<Codec> ordinals =
        packed.stream().map(codec -> OrdinalPostingsCodec.over(codec, "trace"::equals)).toList();
    List<Codec> all =
        Stream.of(
                zstandard,
                columns,
                packed,
                ordinals,
                List.of(new Lucene104Codec(), new PackedIdsCodec(new Lucene104Codec())))
            .flatMap(Collection::stream)
            .toList();
    return List.of(zstandard, columns, packed, ordinals, all);
  }

  /** One index from an empty disk on. */
  private interface Script {
    void run(PowerCutDirectory directory, CrashingIndex index, Random random) throws IOException;
  }

  private void forEachSeed(Script script, boolean inMemory) throws IOException {
    List<List<Codec>> families = families();
    int seeds = inMemory ? SEEDS : Math.max(1, SEEDS / 4);
    for (int seed = FIRST; seed < FIRST + seeds; seed++) {
      Random random = new Random(seed * 1_000_003L);
      Directory disk =
          inMemory ? new ByteBuffersDirectory() : withoutSync(folder.resolve("index" + seed));
      try (PowerCutDirectory directory = new PowerCutDirectory(random, disk)) {
        List<Codec> codecs = families.get(seed % families.size());
        script.run(directory, new CrashingIndex(directory, random, codecs, sources), random);
        assertEquals(0, directory.getFileHandleCount(), "open files");
      } catch (Throwable e) {
        throw new AssertionError(
            "-Dmillrace.powercut.seeds=1 -Dmillrace.powercut.first=" + seed, e);
      }
      assertEquals(0, openCompressors(), "native contexts after seed " + seed);
    }
  }

  /** A real folder whose syncs take no time: the wrapper knows what was synced. */
  private static Directory withoutSync(Path folder) throws IOException {
    return new FilterDirectory(new MMapDirectory(Files.createDirectories(folder).toRealPath())) {
      @Override
      public void sync(Collection<String> names) {}

      @Override
      public void syncMetaData() {}
    };
  }

  private static double openCompressors() {
    return Stream.of(new ZstandardFeature(), new ColumnarSourceFeature())
        .flatMap(feature -> feature.metrics().stream())
        .filter(metric -> metric.name().equals("open_compressors"))
        .flatMap(metric -> metric.samples().get().stream())
        .mapToDouble(Metric.Sample::value)
        .sum();
  }

  private static void cutPower(PowerCutDirectory directory, CrashingIndex index, Random random)
      throws IOException {
    for (int life = 0; life < LIVES; life++) {
      PowerCutDirectory.Moment[] moments = PowerCutDirectory.Moment.values();
      PowerCutDirectory.Moment moment = moments[random.nextInt(moments.length)];
      // a commit has four files and few operations, a flush or merge many of both
      boolean soon = moment == PowerCutDirectory.Moment.COMMIT || random.nextBoolean();
      directory.cutAfter(
          moment, 1 + random.nextInt(soon ? 8 : 60), 1 + random.nextInt(soon ? 20 : 2_000));
      index.write();
      directory.lose();
      directory.powerOn();
      index.verify();
    }
  }

  @Test
  void powerCut() throws IOException {
    Map<PowerCutDirectory.Moment, Integer> cuts = new EnumMap<>(PowerCutDirectory.Moment.class);
    forEachSeed(
        (directory, index, random) -> {
          cutPower(directory, index, random);
          directory.cuts().forEach((moment, times) -> cuts.merge(moment, times, Integer::sum));
        },
        true);
    System.out.println("power cuts: " + cuts);
    for (PowerCutDirectory.Moment moment : PowerCutDirectory.Moment.values()) {
      assertTrue(cuts.getOrDefault(moment, 0) >= SEEDS / 24, cuts::toString);
    }
  }

  /** On files, so that blocks go into the cache; whatever happens, they leave it. */
  @Test
  void powerCutWithTheCacheOn() throws IOException {
    try (BlockCache cache = new BlockCache()) {
      cache.resize(2 << 20);
      for (ZstandardVariant variant : ZstandardVariant.values()) {
        ZstandardCodec.registered(variant).blockCaches().attach(folder.toRealPath(), cache);
      }
      columns().attach(folder.toRealPath(), cache);
      long[] most = new long[1];
      try {
        forEachSeed(
            (directory, index, random) -> {
              cutPower(directory, index, random);
              most[0] = Math.max(most[0], cache.figures().allocatedBytes());
              assertEquals(0, cache.figures().blocks());
              assertEquals(0, cache.figures().usedBytes());
            },
            false);
      } finally {
        for (ZstandardVariant variant : ZstandardVariant.values()) {
          ZstandardCodec.registered(variant).blockCaches().detach(cache);
        }
        columns().detach(cache);
      }
      assertTrue(most[0] > 0 && most[0] <= 2 << 20, "cache used " + most[0]);
    }
  }

  private static BlockCaches columns() {
    return ((BlockCaches.User) Codec.forName(ColumnarSourceCodec.NAME)).blockCaches();
  }

  @Test
  void errorsOfTheDisk() throws IOException {
    int[] errors = new int[1];
    forEachSeed(
        (directory, index, random) -> {
          for (int life = 0; life < LIVES; life++) {
            directory.setRandomIOExceptionRate(random.nextInt(3) * 0.02);
            directory.setRandomIOExceptionRateOnOpen(random.nextInt(3) * 0.01);
            errors[0] += index.write() ? 1 : 0;
            directory.setRandomIOExceptionRate(0);
            directory.setRandomIOExceptionRateOnOpen(0);
            if (!index.forgetsFiles()) {
              assertEquals(0, directory.getFileHandleCount(), "open files");
            }
            directory.lose();
            directory.powerOn();
            index.verify();
          }
        },
        true);
    System.out.println("errors of the disk: " + errors[0]);
    assertTrue(errors[0] >= SEEDS / 2, "errors: " + errors[0]);
  }

  @Test
  void fullDisk() throws IOException {
    int[] errors = new int[1];
    forEachSeed(
        (directory, index, random) -> {
          for (int life = 0; life < LIVES; life++) {
            directory.setMaxSizeInBytes(directory.sizeInBytes() + 1 + random.nextInt(60_000));
            errors[0] += index.write() ? 1 : 0;
            directory.setMaxSizeInBytes(0);
            if (!index.forgetsFiles()) {
              assertEquals(0, directory.getFileHandleCount(), "open files");
            }
            directory.lose();
            directory.powerOn();
            index.verify();
          }
        },
        true);
    System.out.println("full disks: " + errors[0]);
    assertTrue(errors[0] >= SEEDS / 2, "errors: " + errors[0]);
  }
}
