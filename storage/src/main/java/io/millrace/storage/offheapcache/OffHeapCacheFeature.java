package io.millrace.storage.offheapcache;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.PrivilegedAccess;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchParseException;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.MemorySizeValue;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;

/**
 * A cache of blocks outside the heap, so that stored fields in Zstandard and in columns are fetched
 * as fast as LZ4's.
 *
 * <p>Why not a cache of the terms index (FST), after which the settings are named: Lucene 10.5
 * already reads its terms index off heap (17 to 19 KB of heap per segment are left, whatever the
 * number of terms). What remains worth caching is decoding.
 *
 * <p>Sources: promise off-heap-cache (settings {@code indices.segment_memory.off_heap.enable} and
 * {@code .size}); docs/off-heap-cache-measured.md for what was measured.
 */
public final class OffHeapCacheFeature implements Feature {
  private static final Logger logger = LogManager.getLogger(OffHeapCacheFeature.class);
  private static final String ID = "storage.off-heap-cache";

  private static final String SIZE = "indices.segment_memory.off_heap.size";
  private static final String DEFAULT_SIZE = "500mb";
  private static final ByteSizeValue LEAST = new ByteSizeValue(1, ByteSizeUnit.MB);
  private static final ByteSizeValue MOST = new ByteSizeValue(1, ByteSizeUnit.TB);

  private final Switch enabled =
      new Switch(
          Checked.flag(
              "indices.segment_memory.off_heap.enable",
              false,
              Property.NodeScope,
              Property.Dynamic));

  private final Knob<ByteSizeValue> size =
      new Knob<>(
          new Setting<>(
              SIZE, DEFAULT_SIZE, OffHeapCacheFeature::size, Property.NodeScope, Property.Dynamic),
          "How much memory outside the heap the cache may take on each node, from `1mb` "
              + "to `1tb`, or as a part of the heap, such as `12.5%`. A node takes at most three quarters of its "
              + "`-XX:MaxDirectMemorySize`. A change empties the cache.");

  private final BlockCache cache = new BlockCache();
  private List<BlockCaches> users = List.of();

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Decoded stored fields are cached outside the heap, within a bound in "
        + "bytes; how often a block is used decides whether it stays (W-TinyLFU)";
  }

  @Override
  public List<String> sources() {
    return List.of("off-heap-cache");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(size);
  }

  @Override
  public void start(NodeServices services) {
    users = BlockCaches.ofRegisteredCodecs();
    for (Path folder : dataFolders(services)) {
      users.forEach(user -> user.attach(folder, cache));
    }
    Knob.follow(this::apply, enabled.knob(), size);
  }

  private static ByteSizeValue size(String value) {
    ByteSizeValue size;
    try {
      size = MemorySizeValue.parseBytesSizeValueOrHeapRatio(value, SIZE);
    } catch (OpenSearchParseException e) {
      String problem = "[" + SIZE + "] is [" + value + "]: a size such as [500mb], or a part of ";
      throw new IllegalArgumentException(problem + "the heap such as [12.5%], is needed", e);
    }
    if (size.compareTo(LEAST) < 0 || size.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "["
              + SIZE
              + "] is ["
              + value
              + "], which is "
              + size
              + " here: it must be between ["
              + LEAST
              + "] and ["
              + MOST
              + "]");
    }
    return size;
  }

  private void apply() {
    boolean on = enabled.on();
    ByteSizeValue wanted = size.value();
    long most = directMemory() / 4 * 3;
    long bytes = Math.min(wanted.getBytes(), most);
    if (on && bytes < wanted.getBytes()) {
      logger.warn(
          "[{}: {}] is more than three quarters of what this JVM may take outside its heap; the"
              + " cache is limited to [{}]. Set a smaller size or a larger"
              + " -XX:MaxDirectMemorySize.",
          size.key(),
          wanted,
          new ByteSizeValue(bytes));
    }
    cache.resize(on ? bytes : 0);
  }

  /** The limit of the JVM; the maximum heap where none is set, as the JVM does. */
  static long directMemory() {
    HotSpotDiagnosticMXBean jvm =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long limit =
        jvm == null ? 0 : Long.parseLong(jvm.getVMOption("MaxDirectMemorySize").getValue());
    return limit > 0 ? limit : Runtime.getRuntime().maxMemory();
  }

  private static List<Path> dataFolders(NodeServices services) {
    if (services.nodeEnvironment() == null) {
      return List.of();
    }
    List<Path> folders = new ArrayList<>(Arrays.asList(services.nodeEnvironment().nodeDataPaths()));
    @Nullable Path shared = services.environment().sharedDataDir();
    if (shared != null) {
      folders.add(shared);
    }
    return folders.stream().map(OffHeapCacheFeature::real).toList();
  }

  private static Path real(Path folder) {
    try {
      return PrivilegedAccess.call(
          () -> Files.exists(folder) ? folder.toRealPath() : folder.toAbsolutePath().normalize());
    } catch (IOException e) {
      throw new UncheckedIOException("data folder " + folder + " cannot be resolved", e);
    }
  }

  @Override
  public void stop() {
    users.forEach(user -> user.detach(cache));
    cache.close();
  }

  BlockCache cache() {
    return cache;
  }

  @Override
  public List<Metric> metrics() {
    CacheCounters counters = cache.counters();
    return List.of(
        Metric.counter(
            "hits", "blocks", "Reads that found their block decoded", counters.hits::sum),
        Metric.counter(
            "misses", "blocks", "Reads that had to decode their block", counters.misses::sum),
        Metric.counter(
            "admissions", "blocks", "Blocks copied into the cache", counters.admissions::sum),
        Metric.counter(
            "rejections",
            "blocks",
            "Decoded blocks that the cache did not take: not asked for before, too large, "
                + "or no room",
            counters.rejections::sum),
        Metric.counter(
            "evictions",
            "blocks",
            "Blocks that were dropped to make room for others; blocks of closed segments "
                + "are not counted",
            counters.evictions::sum),
        Metric.counter(
            "served",
            "bytes",
            "Bytes of documents that the cache has given",
            counters.servedBytes::sum),
        Metric.gauge("entries", "blocks", "Blocks held now", () -> cache.figures().blocks()),
        Metric.gauge(
            "held",
            "bytes",
            "Uncompressed bytes of the blocks held now",
            () -> cache.figures().blockBytes()),
        Metric.gauge(
            "used",
            "bytes",
            "Bytes of the memory pages in use, with those being filled and those still "
                + "being read after eviction",
            () -> cache.figures().usedBytes()),
        Metric.gauge(
            "allocated",
            "bytes",
            "Memory taken from the operating system, never more than the capacity",
            () -> cache.figures().allocatedBytes()),
        Metric.gauge(
            "views",
            "bytes",
            "Heap of what readers keep beside cached blocks: parsed directories of columns",
            cache::viewBytes),
        Metric.gauge(
            "capacity",
            "bytes",
            "The bound that holds on the node; 0 while the cache is off",
            () -> cache.figures().capacityBytes()));
  }
}
