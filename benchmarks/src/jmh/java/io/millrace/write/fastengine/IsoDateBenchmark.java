package io.millrace.write.fastengine;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One time stamp of a log document: our parser against java.time. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class IsoDateBenchmark {
  private static final int STAMPS = 1024;

  private final byte[][] stamps = new byte[STAMPS][];
  private int next;

  public IsoDateBenchmark() {
    for (int i = 0; i < STAMPS; i++) {
      String text = Instant.ofEpochMilli(1_700_000_000_001L + i * 37L).toString();
      stamps[i] = text.getBytes(StandardCharsets.US_ASCII);
    }
  }

  private byte[] stamp() {
    return stamps[next++ & (STAMPS - 1)];
  }

  @Benchmark
  public long millrace() {
    byte[] stamp = stamp();
    return IsoDate.millis(stamp, 0, stamp.length);
  }

  @Benchmark
  public long javaTime() {
    return Instant.parse(new String(stamp(), StandardCharsets.US_ASCII)).toEpochMilli();
  }
}
