package io.millrace.it.guard;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** Connections that misbehave, one thread each; closing it makes all of them leave. */
final class Storm implements Visitors {
  private final List<Socket> sockets = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong accepted;
  private final Map<String, Integer> ends = new TreeMap<>();

  /** What one connection does once it stands. */
  private interface Conduct {
    void run(Socket socket) throws IOException;
  }

  private Storm(
      int port, int connections, int receiveBuffer, AtomicLong accepted, Conduct conduct) {
    this.accepted = accepted;
    for (int i = 0; i < connections; i++) {
      Socket socket = new Socket();
      sockets.add(socket);
      Thread thread =
          new Thread(
              () -> {
                String end;
                try {
                  if (receiveBuffer > 0) {
                    socket.setReceiveBufferSize(receiveBuffer);
                  }
                  socket.connect(
                      new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 3000);
                  conduct.run(socket);
                  end = "left";
                } catch (IOException e) {
                  end = e.getMessage() == null ? e.toString() : e.getMessage();
                }
                count(end);
              },
              "storm-" + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  private void count(String end) {
    synchronized (ends) {
      ends.merge(end, 1, Integer::sum);
    }
  }

  /**
   * Uploads that announce a bulk, send a part of it and then nothing, holding the line.
   *
   * @param announced bytes of the Content-Length
   * @param sent bytes sent of it, at most
   */
  static Storm stalledUploads(int port, int connections, int announced, int sent) {
    byte[] piece =
        "{\"index\":{}}\n{\"message\":\"stalled\"}\n".repeat(2000).getBytes(StandardCharsets.UTF_8);
    AtomicLong accepted = new AtomicLong();
    return new Storm(
        port,
        connections,
        0,
        accepted,
        socket -> {
          OutputStream out = socket.getOutputStream();
          out.write(
              ("POST /storm/_bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
                      + "Content-Length: "
                      + announced
                      + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
          for (int n = 0; n < sent; n += piece.length) {
            out.write(piece);
            accepted.addAndGet(piece.length);
          }
          byte[] line = socket.getInputStream().readNBytes(12);
          throw new IOException(
              line.length < 12
                  ? "closed"
                  : "answered" + new String(line, 8, 4, StandardCharsets.US_ASCII));
        });
  }

  /** Searches sent one behind the other on every connection, of which no answer is ever read. */
  static Storm slowReaders(int port, int connections, int pipelined, String path, String body) {
    byte[] request =
        ("POST "
                + path
                + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n"
                + body)
            .getBytes(StandardCharsets.UTF_8);
    return new Storm(
        port,
        connections,
        4096,
        new AtomicLong(),
        socket -> {
          for (int i = 0; i < pipelined; i++) {
            socket.getOutputStream().write(request);
          }
          // a peer that is closed is seen by writing: nothing is read here
          while (true) {
            try {
              Thread.sleep(500);
            } catch (InterruptedException e) {
              return;
            }
            socket.sendUrgentData(0);
          }
        });
  }

  /** Bytes that the server's side took, kernel buffers included. */
  long accepted() {
    return accepted.get();
  }

  @Override
  public Map<String, Integer> answers() {
    synchronized (ends) {
      return new TreeMap<>(ends);
    }
  }

  @Override
  public void close() throws InterruptedException {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        // it is gone, which is what was asked for
      }
    }
    for (Thread thread : threads) {
      thread.interrupt();
    }
    for (Thread thread : threads) {
      thread.join(5000);
    }
  }

  /** Lines of a bulk. */
  static String bulk(int from, int count, IntFunction<String> document) {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < from + count; i++) {
      lines.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n");
      lines.append(document.apply(i)).append('\n');
    }
    return lines.toString();
  }
}
