package io.millrace.storage.multidisk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiskTest {
  private static final long TB = 1L << 40;

  private static Disk disk(String name, long total, long usable, int young) {
    return new Disk(Path.of(name), total, usable, young, 0, usable < total * 15 / 100);
  }

  /** Places shards one after the other on empty-enough disks. */
  private static int[] place(int shards, long... totals) {
    int[] counts = new int[totals.length];
    for (int shard = 0; shard < shards; shard++) {
      List<Disk> disks = new ArrayList<>();
      for (int i = 0; i < totals.length; i++) {
        disks.add(disk(Integer.toString(i), totals[i], totals[i] / 2, counts[i]));
      }
      counts[Integer.parseInt(Disk.inOrder(disks).get(0).path().toString())]++;
    }
    return counts;
  }

  @Test
  void anIndexIsNewForTenMinutes() {
    assertEquals(10 * 60 * 1000L, DiskPlacement.NEW_MILLIS);
  }

  @Test
  void followsTheCapacity() {
    assertEquals(List.of(20, 20), List.of(place(40, TB, TB)[0], place(40, TB, TB)[1]));
    int[] unequal = place(40, 3 * TB, TB);
    assertEquals(30, unequal[0]);
    int[] three = place(100, 5 * TB, 3 * TB, 2 * TB);
    assertTrue(
        Math.abs(three[0] - 50) <= 1 && Math.abs(three[1] - 30) <= 1,
        three[0] + " " + three[1] + " " + three[2]);
  }

  @Test
  void aFullDiskTakesNothing() {
    List<Disk> order =
        Disk.inOrder(List.of(disk("full", TB, TB / 10, 0), disk("busy", TB, TB / 2, 100)));
    assertEquals(List.of(Path.of("busy")), order.stream().map(Disk::path).toList());
    assertEquals(List.of(), Disk.inOrder(List.of(disk("full", TB, 0, 0))));
    // below the watermark, yet less than a twentieth of all that is free
    List<Disk> tiny =
        Disk.inOrder(List.of(disk("tiny", TB / 100, TB / 100, 0), disk("big", TB, TB, 50)));
    assertEquals(List.of(Path.of("big")), tiny.stream().map(Disk::path).toList());
  }

  @Test
  void equalLoadGoesToWhereTheIndexIsNot() {
    Disk has = new Disk(Path.of("has"), TB, TB, 3, 1, false);
    Disk hasNot = new Disk(Path.of("has-not"), TB, TB / 2, 3, 0, false);
    assertEquals(hasNot, Disk.inOrder(List.of(has, hasNot)).get(0));
    Disk freer = new Disk(Path.of("freer"), TB, TB, 3, 0, false);
    assertEquals(freer, Disk.inOrder(List.of(hasNot, freer)).get(0));
  }
}
