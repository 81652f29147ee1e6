package io.millrace.storage.offheapcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FrequencySketchTest {
  @Test
  void neverLessThanTheTruthUpToTheMaximum() {
    FrequencySketch sketch = new FrequencySketch(1024);
    for (int key = 0; key < 100; key++) {
      for (int time = 0; time < key % 20; time++) {
        sketch.increment(FrequencySketch.mix(key));
      }
    }
    int exact = 0;
    for (int key = 0; key < 100; key++) {
      int truth = Math.min(FrequencySketch.MAX, key % 20);
      int estimate = sketch.frequency(FrequencySketch.mix(key));
      assertTrue(estimate >= truth, key + ": " + estimate);
      exact += estimate == truth ? 1 : 0;
    }
    assertTrue(exact > 95, "only " + exact + " of 100 exact");
    assertEquals(0, sketch.frequency(FrequencySketch.mix(123456)));
  }

  @Test
  void forgetsByHalves() {
    FrequencySketch sketch = new FrequencySketch(64);
    long hot = FrequencySketch.mix(1);
    for (int i = 0; i < FrequencySketch.MAX; i++) {
      sketch.increment(hot);
    }
    assertEquals(FrequencySketch.MAX, sketch.frequency(hot));
    for (int i = 0; i < 10 * 64; i++) {
      sketch.increment(hot + 0x1234567L * (i % 3 + 1));
    }
    assertTrue(sketch.frequency(hot) < FrequencySketch.MAX);
  }
}
