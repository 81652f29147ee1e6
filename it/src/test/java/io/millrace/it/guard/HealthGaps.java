package io.millrace.it.guard;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Asks for the cluster's health ten times a second on a new connection each time, with a limit of
 * one second, and remembers for how long no answer came.
 */
public final class HealthGaps implements AutoCloseable {
  private final int port;
  private final Thread thread = new Thread(this::run, "probe");
  private volatile boolean ended;
  private volatile long longestNanos;
  private volatile long answers;
  private volatile long lastAnswer = System.nanoTime();

  public HealthGaps(int port) {
    this.port = port;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    while (!ended) {
      long began = System.nanoTime();
      if (answered()) {
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - lastAnswer);
        lastAnswer = now;
        answers++;
      }
      long rest = 100 - (System.nanoTime() - began) / 1_000_000;
      if (rest > 0) {
        try {
          Thread.sleep(rest);
        } catch (InterruptedException e) {
          return;
        }
      }
    }
  }

  private boolean answered() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      socket.setSoTimeout(1000);
      socket
          .getOutputStream()
          .write(
              "GET /_cluster/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      byte[] status = socket.getInputStream().readNBytes(12);
      return new String(status, StandardCharsets.US_ASCII).endsWith(" 200");
    } catch (IOException e) {
      return false;
    }
  }

  /** How many probes were answered with 200. */
  long answers() {
    return answers;
  }

  /** Seconds since the last answer. */
  public double silence() {
    return (System.nanoTime() - lastAnswer) / 1e9;
  }

  /** The longest time without an answer until now, in seconds. */
  public double longestOutage() {
    return Math.max(longestNanos, System.nanoTime() - lastAnswer) / 1e9;
  }

  @Override
  public void close() throws InterruptedException {
    ended = true;
    thread.join(5000);
  }
}
