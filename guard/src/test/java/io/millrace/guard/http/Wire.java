package io.millrace.guard.http;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** HTTP/1.1 by hand over one socket: half a body, no reading, several requests at once. */
final class Wire implements Closeable {
  private final Socket socket;
  private final InputStream in;

  /** What came back. */
  record Response(int status, Map<String, String> headers, String body) {}

  Wire(InetSocketAddress address) throws IOException {
    this(new Socket(), address);
  }

  Wire(Socket socket, InetSocketAddress address) throws IOException {
    this.socket = socket;
    if (!socket.isConnected()) {
      socket.connect(address, 30_000);
    }
    socket.setSoTimeout(120_000);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** A request's head with a declared length, and as much of a body as given. */
  Wire post(String path, int contentLength, String body) throws IOException {
    return send(
        "POST "
            + path
            + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nContent-Length: "
            + contentLength
            + "\r\n\r\n"
            + body);
  }

  Wire get(String path) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
  }

  Wire send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
    return this;
  }

  Response response() throws IOException {
    String[] status = line().split(" ", 3);
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new Response(
        Integer.parseInt(status[1]),
        headers,
        new String(in.readNBytes(length), StandardCharsets.UTF_8));
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    int c;
    while ((c = in.read()) != '\n') {
      if (c < 0) {
        throw new IOException("closed after [" + line + "]");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  /** Whether the other side has closed; waits for it or for a byte. */
  boolean closedByPeer() throws IOException {
    try {
      return in.read() < 0;
    } catch (java.net.SocketException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
