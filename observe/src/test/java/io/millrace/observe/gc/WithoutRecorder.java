package io.millrace.observe.gc;

import java.util.Map;

/** A program for child JVMs without the module {@code jdk.jfr}: the beans must do. */
public final class WithoutRecorder {
  private WithoutRecorder() {}

  public static void main(String[] args) throws InterruptedException {
    GcObservation gc = new GcObservation();
    gc.start(true);
    Map<?, ?> source = Map.of();
    for (int i = 0; i < 600 && !source.containsKey("jfr_failure"); i++) {
      Thread.sleep(50);
      source = (Map<?, ?>) gc.report().get("source");
    }
    System.gc();
    for (int i = 0; i < 600 && gc.pauses().count() == 0; i++) {
      Thread.sleep(50);
    }
    System.out.println("RESULT failure=" + (source.containsKey("jfr_failure") ? 1 : 0));
    System.out.println("RESULT pauses=" + gc.pauses().count());
    System.out.println("RESULT fromEvents=" + (gc.fromEvents() ? 1 : 0));
    gc.stop();
  }
}
