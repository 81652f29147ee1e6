package io.millrace.guard.heap;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import org.jspecify.annotations.Nullable;

/**
 * How much of the heap outlived a collection.
 *
 * <p>G1, Parallel and Serial allocate in an Eden pool: everything outside it has survived at least
 * one collection (or is humongous), so the pools' present use is the answer, up to date the moment
 * a collection ends. A pool's own "collection usage" is not: G1 leaves the old generation's
 * untouched by young collections. ZGC and Shenandoah have no Eden; there the answer is what the
 * last collection's notification said.
 *
 * <p>Garbage that reached the old generation counts until it is collected: an upper bound.
 */
public final class LiveHeap implements HeapView {
  private final List<MemoryPoolMXBean> outlived;
  private final boolean withEden;
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();
  private final NotificationListener listener = this::collected;
  private final long max;
  private volatile long afterLast;

  public LiveHeap() {
    List<MemoryPoolMXBean> heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    outlived = heap.stream().filter(pool -> !pool.getName().contains("Eden")).toList();
    withEden = outlived.size() < heap.size();
    max = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax();
  }

  @Override
  public void start() {
    if (!withEden) {
      for (GarbageCollectorMXBean bean : collectors) {
        if (bean instanceof NotificationEmitter emitter) {
          emitter.addNotificationListener(listener, null, null);
        }
      }
    }
  }

  @Override
  public void stop() {
    if (!withEden) {
      for (GarbageCollectorMXBean bean : collectors) {
        if (bean instanceof NotificationEmitter emitter) {
          try {
            emitter.removeNotificationListener(listener);
          } catch (ListenerNotFoundException e) {
            // it was never added
          }
        }
      }
    }
  }

  private void collected(Notification notification, @Nullable Object handback) {
    if (notification.getUserData() instanceof CompositeData data
        && notification
            .getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(data);
      if (info.getGcName().endsWith("Pauses")) {
        return; // the cycle's own notification says what lived on
      }
      long used = 0;
      for (MemoryPoolMXBean pool : outlived) {
        MemoryUsage usage = info.getGcInfo().getMemoryUsageAfterGc().get(pool.getName());
        used += usage == null ? 0 : usage.getUsed();
      }
      afterLast = used;
    }
  }

  /** Bytes that outlived a collection; 0 under a collector without Eden before its first. */
  @Override
  public long bytes() {
    if (!withEden) {
      return afterLast;
    }
    long used = 0;
    for (MemoryPoolMXBean pool : outlived) {
      used += pool.getUsage().getUsed();
    }
    return used;
  }

  /** The heap's upper limit, bytes. */
  @Override
  public long max() {
    return max;
  }

  /**
   * Time spent collecting so far, milliseconds: pauses under collectors with an Eden pool; under
   * ZGC and Shenandoah the cycles, which is what allocating threads wait for once the heap is full.
   */
  @Override
  public long collectingMillis() {
    long millis = 0;
    for (GarbageCollectorMXBean bean : collectors) {
      if (!bean.getName().endsWith("Pauses")) {
        millis += Math.max(0, bean.getCollectionTime());
      }
    }
    return millis;
  }

  /** Collections so far, of every kind. */
  public long collections() {
    long count = 0;
    for (GarbageCollectorMXBean bean : collectors) {
      count += Math.max(0, bean.getCollectionCount());
    }
    return count;
  }
}
