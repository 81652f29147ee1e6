package io.millrace.observe.gc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.observe.gc.Collectors.Collector;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Names as OpenJDK 21 to 25 give them. */
class CollectorsTest {
  @Test
  void generationalZgcKeepsTheSeedsNames() {
    Map<String, Collector> beans = new LinkedHashMap<>();
    beans.put("ZGC Minor Cycles", new Collector(5, 50));
    beans.put("ZGC Minor Pauses", new Collector(15, 1));
    beans.put("ZGC Major Cycles", new Collector(2, 70));
    beans.put("ZGC Major Pauses", new Collector(12, 2));
    Map<String, Collector> all = Collectors.withSums(beans);
    assertEquals(new Collector(7, 120), all.get("ZGC Cycles"));
    assertEquals(new Collector(27, 3), all.get("ZGC Pauses"));
    assertEquals(6, all.size());
  }

  @Test
  void otherCollectorsStayAsTheyAre() {
    Map<String, Collector> beans =
        Map.of("ZGC Cycles", new Collector(1, 1), "G1 Young Generation", new Collector(2, 2));
    assertEquals(beans, Collectors.withSums(beans));
  }

  @Test
  void whatPausesAndWhatIsFull() {
    assertTrue(Collectors.pauses("G1 Young Generation"));
    assertTrue(Collectors.pauses("ZGC Minor Pauses"));
    assertFalse(Collectors.pauses("ZGC Cycles"));
    assertFalse(Collectors.pauses("G1 Concurrent GC"));
    assertTrue(Collectors.isFull("G1 Old Generation"));
    assertTrue(Collectors.isFull("PS MarkSweep"));
    assertFalse(Collectors.isFull("ZGC Major Cycles"));
    assertTrue(Collectors.isOld("PS Old Gen"));
    assertTrue(Collectors.isOld("ZGC Old Generation"));
    assertTrue(Collectors.isOld("Tenured Gen"));
    assertFalse(Collectors.isOld("G1 Eden Space"));
  }
}
