package io.millrace.it.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends records 0, 1, 2 and so on at a steady rate until it is told to stop, every twentieth of
 * them once more a while later. Record {@code n} goes to partition {@code n % partitions}.
 */
final class Producer implements AutoCloseable {
  /** What pipelines/docs/kafka.md advises. */
  static final Map<String, Object> BATCHING =
      Map.of("linger.ms", 1000, "batch.size", 524_288, "compression.type", "zstd");

  /** A request for each record, as Kafka sends where nothing is set and records are few. */
  static final Map<String, Object> UNBATCHED =
      Map.of("linger.ms", 0, "batch.size", 0, "compression.type", "none");

  private static final int AGAIN_EVERY = 20;

  private final String topic;
  private final int partitions;
  private final int perSecond;
  private final KafkaProducer<byte[], byte[]> kafka;
  private final Moments produced = new Moments();
  private final AtomicLong sentAgain = new AtomicLong();
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final Thread thread = new Thread(this::run, "producer");
  private volatile boolean stopping;

  /**
   * @param perSecond records, as far as the broker takes them
   * @param batching {@link #BATCHING} or {@link #UNBATCHED}
   */
  Producer(
      String bootstrap, String topic, int partitions, int perSecond, Map<String, Object> batching) {
    this.topic = topic;
    this.partitions = partitions;
    this.perSecond = perSecond;
    Map<String, Object> options = new HashMap<>(batching);
    options.put("bootstrap.servers", bootstrap);
    options.put("acks", "all");
    // a broker that is away is waited for
    options.put("delivery.timeout.ms", 900_000);
    options.put("max.block.ms", 900_000);
    options.put("request.timeout.ms", 10_000);
    kafka = new KafkaProducer<>(options, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Begins to send. */
  Producer begin() {
    thread.start();
    return this;
  }

  /** When each record was handed to the producer. */
  Moments produced() {
    return produced;
  }

  /** Records that were sent a second time. */
  long sentAgain() {
    return sentAgain.get();
  }

  /** Ends after the record at hand and waits until the broker has acknowledged all. */
  void finish() throws Exception {
    stopping = true;
    thread.join();
    kafka.flush();
    Exception failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }

  private void run() {
    long begun = System.nanoTime();
    try {
      for (int n = 0; !stopping; n++) {
        pace(begun, n);
        long now = System.currentTimeMillis();
        send(n, now);
        produced.add(now);
        if (n % AGAIN_EVERY == AGAIN_EVERY - 1) {
          int earlier = n - n % 997;
          send(earlier, produced.get(earlier));
          sentAgain.incrementAndGet();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private void pace(long begun, int n) throws InterruptedException {
    long early = begun + (long) (n * 1e9 / perSecond) - System.nanoTime();
    if (early > 20_000_000) {
      Thread.sleep(early / 1_000_000);
    }
  }

  private void send(int n, long time) {
    byte[] value = LogLine.of(n, time).json().getBytes(StandardCharsets.UTF_8);
    kafka.send(
        new ProducerRecord<>(topic, n % partitions, null, value),
        (where, failed) -> {
          if (failed != null) {
            failure.compareAndSet(null, failed);
          }
        });
  }

  @Override
  public void close() {
    stopping = true;
    thread.interrupt();
    kafka.close(Duration.ZERO);
  }
}
