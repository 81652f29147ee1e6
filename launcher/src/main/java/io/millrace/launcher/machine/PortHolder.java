package io.millrace.launcher.machine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who listens on a TCP port: the socket's inode from {@code /proc/net/tcp} and {@code tcp6}
 * (proc(5): state 0A is LISTEN), then the process that has {@code socket:[inode]} open.
 *
 * <p>Links in {@code /proc/<pid>/fd} of other users are readable for root only. When the command
 * started as root and gave up its rights, root's view arrives in {@link #SNAPSHOT}.
 */
public final class PortHolder {
  /** System property: {@code port=name (pid n);...}, taken by a process with more rights. */
  public static final String SNAPSHOT = "millrace.listeners";

  private final Path proc;
  private final @Nullable String snapshot;

  public PortHolder() {
    this(Path.of("/proc"), System.getProperty(SNAPSHOT));
  }

  PortHolder(Path proc, @Nullable String snapshot) {
    this.proc = proc;
    this.snapshot = snapshot;
  }

  /** Whether a server could listen on the loopback address now. */
  public static boolean free(int port) {
    return refusal(port).isEmpty();
  }

  /** What the system says when a server is to listen on the loopback address; empty: it may. */
  public static Optional<String> refusal(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /**
   * @return {@code nginx (pid 17)}; when the process is not ours to see, {@code a process of
   *     another user (uid 33)}; empty when nobody listens
   */
  public Optional<String> of(int port) {
    Map<Integer, Listener> listeners = listeners();
    Listener listener = listeners.get(port);
    if (listener != null && !listener.process.isEmpty()) {
      return Optional.of(listener.process);
    }
    if (snapshot != null) {
      for (String entry : snapshot.split(";")) {
        if (entry.startsWith(port + "=")) {
          return Optional.of(entry.substring(entry.indexOf('=') + 1));
        }
      }
    }
    return listener == null
        ? Optional.empty()
        : Optional.of("a process of another user (uid " + listener.uid + ")");
  }

  /** Every listening port with its process, in the form of {@link #SNAPSHOT}. */
  public String snapshot() {
    StringBuilder text = new StringBuilder();
    listeners()
        .forEach((port, l) -> {
          if (!l.process.isEmpty()) {
            text.append(port).append('=').append(l.process.replace(';', ' ')).append(';');
          }
        });
    return text.toString();
  }

  private record Listener(String uid, String process) {}

  private Map<Integer, Listener> listeners() {
    Map<String, Integer> ports = new HashMap<>();
    Map<Integer, Listener> result = new TreeMap<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : lines(proc.resolve(table))) {
        String[] f = line.strip().split("\\s+");
        if (f.length > 9 && f[3].equals("0A")) {
          int port = Integer.parseInt(f[1].substring(f[1].lastIndexOf(':') + 1), 16);
          ports.put("socket:[" + f[9] + "]", port);
          result.put(port, new Listener(f[7], ""));
        }
      }
    }
    for (Path process : list(proc)) {
      String pid = process.getFileName().toString();
      if (!pid.chars().allMatch(Character::isDigit)) {
        continue;
      }
      for (Path fd : list(process.resolve("fd"))) {
        Integer port = ports.get(link(fd));
        if (port != null) {
          String held = name(process) + " (pid " + pid + ")";
          result.computeIfPresent(port, (p, l) -> new Listener(l.uid, held));
        }
      }
    }
    return result;
  }

  /** {@code java} says little: for a JVM, its main class. */
  private static String name(Path process) {
    String comm = String.join("", lines(process.resolve("comm"))).strip();
    if (comm.equals("java")) {
      try {
        String[] args = Files.readString(process.resolve("cmdline")).split("\0");
        for (String arg : args) {
          if (arg.matches("(\\w+\\.){2,}[A-Z]\\w*")) {
            return "java " + arg.substring(arg.lastIndexOf('.') + 1);
          }
        }
      } catch (IOException e) {
        return comm;
      }
    }
    return comm.isEmpty() ? "a process" : comm;
  }

  private static String link(Path fd) {
    try {
      return Files.readSymbolicLink(fd).toString();
    } catch (IOException e) {
      return "";
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of(); // no such table, or the process has just gone
    }
  }

  private static List<Path> list(Path dir) {
    try (Stream<Path> entries = Files.list(dir)) {
      return entries.toList();
    } catch (IOException e) {
      return List.of(); // not ours to see, or just gone
    }
  }
}
