package io.millrace.observe.gc;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * A program for child JVMs: allocates faster than a small heap can be collected, and prints what
 * {@link GcObservation} saw beside what a recording of its own holds.
 *
 * <p>Arguments: seconds, megabytes kept alive, whether the observation uses events.
 */
public final class AllocationStorm {
  private static final int CHUNK = 16 << 10;

  private AllocationStorm() {}

  public static void main(String[] args) throws Exception {
    long seconds = Long.parseLong(args[0]);
    int chunks = Integer.parseInt(args[1]) * (1 << 20) / CHUNK / 4;
    boolean events = Boolean.parseBoolean(args[2]);
    Path file = Files.createTempFile("storm", ".jfr");
    GcObservation gc = new GcObservation();
    try (Recording recording = new Recording()) {
      recording.enable("jdk.ZAllocationStall").withoutThreshold();
      recording.enable("jdk.GCPhasePause").withoutThreshold();
      recording.start();
      gc.start(events);
      for (int i = 0; events && !gc.fromEvents() && i < 600; i++) {
        Thread.sleep(50);
      }
      storm(System.nanoTime() + seconds * 1_000_000_000L, chunks);
      settle(gc);
      print("stalls", gc.allocationStalls());
      print("pauses", gc.pauses().count());
      recording.stop();
      recording.dump(file);
    }
    long stallsRecorded = 0;
    long pausesRecorded = 0;
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      stallsRecorded += event.getEventType().getName().equals("jdk.ZAllocationStall") ? 1 : 0;
      pausesRecorded += event.getEventType().getName().equals("jdk.GCPhasePause") ? 1 : 0;
    }
    print("stallsRecorded", stallsRecorded);
    print("pausesRecorded", pausesRecorded);
    Files.delete(file);
    print("cycles", gc.stalledCycles());
    print("stallNanos", gc.stalls().totalNanos());
    print("full", gc.fullCollections());
    print("allocated", gc.allocatedBytes());
    print("promoted", gc.promotedBytes());
    print("heapAfter", gc.heapAfterBytes());
    print("fromEvents", gc.fromEvents() ? 1 : 0);
    Map<?, ?> shape = (Map<?, ?>) ((Map<?, ?>) gc.report().get("gc")).get("collectors");
    shape.keySet().forEach(name -> print("collector " + name, 1));
    gc.stop();
  }

  /**
   * The recorder hands its events over once a second, later where it has to wait for a core: until
   * nothing has come for five seconds, a minute at most.
   */
  private static void settle(GcObservation gc) throws InterruptedException {
    long seen = -1;
    int still = 0;
    for (int i = 0; i < 600 && still < 50; i++) {
      long now = gc.allocationStalls() + gc.pauses().count() + gc.stalledCycles();
      still = now == seen ? still + 1 : 0;
      seen = now;
      Thread.sleep(100);
    }
  }

  private static void storm(long end, int chunks) throws InterruptedException {
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] =
          new Thread(() -> {
            byte[][] kept = new byte[chunks][];
            for (int i = 0; System.nanoTime() < end; i++) {
              kept[i % kept.length] = new byte[CHUNK];
            }
          });
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join(Duration.ofMinutes(2));
    }
  }

  private static void print(String name, long value) {
    System.out.println("RESULT " + name + "=" + value);
  }
}
