package io.millrace.storage.multidisk;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * One data path of the node as it is now.
 *
 * @param path the data path
 * @param total bytes of the file system
 * @param usable bytes that the node may still write
 * @param young shards of this node on it that belong to indices created lately
 * @param sameIndex shards of the new shard's index on it
 * @param aboveWatermark whether it is fuller than the cluster's low watermark allows
 */
record Disk(Path path, long total, long usable, int young, int sameIndex, boolean aboveWatermark) {

  /**
   * The disks that may take one more shard, the best one first.
   *
   * <p>New indices are the ones that are written, so what has to be even is the number of
   * <em>young</em> shards per byte of capacity, not the bytes in use: these follow, as old indices
   * are deleted. A disk above the watermark, or one that has less room than stock's estimate of a
   * shard (ShardPath#selectNewPathForShard at 3.8.0: a twentieth of all that is free), is left out.
   */
  static List<Disk> inOrder(List<Disk> disks) {
    long free = disks.stream().mapToLong(Disk::usable).sum();
    return disks.stream()
        .filter(disk -> disk.total > 0 && !disk.aboveWatermark && disk.usable > free / 20)
        .sorted(
            Comparator.<Disk>comparingDouble(disk -> (disk.young + 1.0) / disk.total)
                .thenComparingInt(Disk::sameIndex)
                .thenComparing(Disk::usable, Comparator.reverseOrder()))
        .toList();
  }
}
