package io.millrace.observe.alarms;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Tells one address of alarms that start and end: a POST of JSON for each.
 *
 * <p>A node in trouble must not suffer from its messenger: messages wait in a queue of {@value
 * #MOST_WAITING}, one is under way at a time, each is tried {@value #TRIES} times with pauses of
 * {@link #PAUSES_MILLIS}, and what does not fit or arrive is dropped and counted. An answer that is
 * not 2xx is a failure; redirects are failures, too, because they would lead around the list of
 * allowed hosts. Addresses of such hooks hold secrets: logs name the host only.
 */
final class Webhook {
  static final int MOST_WAITING = 100;
  static final int TRIES = 3;
  static final List<Long> PAUSES_MILLIS = List.of(1_000L, 5_000L);
  private static final Logger LOG = LogManager.getLogger(Webhook.class);

  /**
   * Where to, and for how long to wait.
   *
   * @param timeoutMillis for the connection, and again for each read of the answer's head
   */
  record Target(URI uri, int timeoutMillis) {}

  /** Sends one message. */
  @FunctionalInterface
  interface Post {
    /**
     * @return the answer's status
     * @throws IOException when there is none
     */
    int send(Target target, byte[] json) throws IOException;
  }

  /** Runs something later. */
  @FunctionalInterface
  interface Later {
    void run(long millis, Runnable task);
  }

  private record Message(String name, byte[] json, int tries) {}

  private final Supplier<@Nullable Target> target;
  private final Post post;
  private final Executor executor;
  private final Later later;
  private final Deque<Message> waiting = new ArrayDeque<>();
  private boolean busy;
  private final LongAdder sent = new LongAdder();
  private final LongAdder lost = new LongAdder();

  /**
   * @param target where to now; null for nowhere
   * @param executor where a message may block for its timeout
   */
  Webhook(Supplier<@Nullable Target> target, Post post, Executor executor, Later later) {
    this.target = target;
    this.post = post;
    this.executor = executor;
    this.later = later;
  }

  /** Messages that arrived. */
  long sent() {
    return sent.sum();
  }

  /** Messages given up. */
  long lost() {
    return lost.sum();
  }

  /** Tells of an alarm that started or ended; returns at once. */
  void tell(String cluster, String node, Alarm alarm, long wallMillis) {
    if (target.get() == null) {
      return;
    }
    synchronized (this) {
      if (waiting.size() >= MOST_WAITING) {
        waiting.removeFirst();
        lost.increment();
      }
      waiting.addLast(new Message(alarm.name(), json(cluster, node, alarm, wallMillis), 0));
    }
    next();
  }

  private void next() {
    synchronized (this) {
      if (busy || waiting.isEmpty()) {
        return;
      }
      busy = true;
    }
    try {
      executor.execute(this::sendFirst);
    } catch (RuntimeException e) {
      // the node closes and takes no more work
      synchronized (this) {
        busy = false;
      }
    }
  }

  private void sendFirst() {
    Message message;
    synchronized (this) {
      message = waiting.pollFirst();
    }
    Target to = target.get();
    if (message == null || to == null) {
      done();
      return;
    }
    String failure;
    try {
      int status = post.send(to, message.json());
      failure = status / 100 == 2 ? "" : "it answered " + status;
    } catch (IOException | RuntimeException e) {
      // the class only: messages of exceptions may hold the address
      failure = e.getClass().getSimpleName();
    }
    if (failure.isEmpty()) {
      sent.increment();
      done();
    } else if (message.tries() + 1 < TRIES) {
      again(message);
    } else {
      lost.increment();
      LOG.warn(
          "alarm [{}] could not be sent to host [{}] in {} tries: {}; see setting "
              + "[millrace.observe.alarms.webhook.url]",
          message.name(),
          to.uri().getHost(),
          TRIES,
          failure);
      done();
    }
  }

  /** Later the same message first: its end must not overtake its start. */
  private void again(Message message) {
    Message retry = new Message(message.name(), message.json(), message.tries() + 1);
    synchronized (this) {
      waiting.addFirst(retry);
    }
    try {
      later.run(PAUSES_MILLIS.get(message.tries()), this::done);
    } catch (RuntimeException e) {
      // the node closes
    }
  }

  private void done() {
    synchronized (this) {
      busy = false;
    }
    next();
  }

  /** {@code text} is what chat systems show; the rest is for programs. */
  static byte[] json(String cluster, String node, Alarm alarm, long wallMillis) {
    String severity = alarm.severity().name().toLowerCase(Locale.ROOT);
    String text =
        alarm.firing()
            ? "[" + severity + "] " + node + ": " + alarm.what() + ". " + alarm.action()
            : "[ended] " + node + ": " + alarm.what();
    String json =
        "{\"text\":"
            + quoted(text)
            + ",\"cluster\":"
            + quoted(cluster)
            + ",\"node\":"
            + quoted(node)
            + ",\"alarm\":"
            + quoted(alarm.name())
            + ",\"firing\":"
            + alarm.firing()
            + ",\"severity\":"
            + quoted(severity)
            + ",\"value\":"
            + number(alarm.value())
            + ",\"threshold\":"
            + number(alarm.threshold())
            + ",\"what\":"
            + quoted(alarm.what())
            + ",\"action\":"
            + quoted(alarm.action())
            + ",\"at_in_millis\":"
            + wallMillis
            + "}";
    return json.getBytes(StandardCharsets.UTF_8);
  }

  private static String number(double value) {
    return Double.isFinite(value) ? Double.toString(value) : "null";
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
