package io.millrace.it.chaos;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The network between the nodes of a cluster: every connection goes through a proxy before its
 * target, which holds back or cuts what a partition does not let through, in each direction by
 * itself. It needs no root.
 *
 * <p>Bytes that are held back arrive when the partition ends, as TCP sends them again. A new
 * connection waits likewise.
 */
public final class Network implements AutoCloseable {
  /** Who connected from this port to that one. */
  @FunctionalInterface
  interface Peers {
    /** The number of the node; empty for another process and for one that has gone. */
    OptionalInt whose(int from, int to) throws IOException;
  }

  /** Bytes from one node to another. */
  public record Direction(int from, int to) {}

  private static final int UNKNOWN = -1;

  private final Set<Direction> held = ConcurrentHashMap.newKeySet();
  private final Set<Direction> cut = ConcurrentHashMap.newKeySet();
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final List<ServerSocket> proxies = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile @Nullable Peers peers;
  private volatile boolean closed;

  /** A port in front of the next node's own. */
  public int proxy(int port) {
    try {
      ServerSocket proxy = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
      int node = proxies.size();
      proxies.add(proxy);
      Thread.ofVirtual().start(() -> accept(proxy, node, port));
      return proxy.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Finds out whose connections are whose, once the nodes of the cluster have met.
   *
   * @throws AssertionError where this process may not look at the sockets of the nodes
   */
  public void between(Cluster cluster) {
    List<ClusterNode> nodes = cluster.nodes();
    peers((from, to) ->
        SocketOwners.owner(
            from,
            to,
            nodes.stream().map(node -> node.alive() ? node.process().pid() : 0L).toList()));
    part(Set.of(), true);
    assertTrue(
        known() > 0,
        "no connection between nodes could be told: this process may not read /proc/PID/fd of "
            + nodes.stream().map(ClusterNode::name).toList());
  }

  /** Tells whose connections are whose, also those that stand already. */
  void peers(Peers known) {
    peers = known;
  }

  /** How many connections between nodes there are whose two ends are known. */
  long known() {
    return connections.stream().filter(connection -> connection.source() != UNKNOWN).count();
  }

  /**
   * Lets nothing through in these directions.
   *
   * @param silent holds the bytes back, as a network does that loses packets; else connections are
   *     reset and new ones refused
   */
  public void part(Set<Direction> directions, boolean silent) {
    connections.forEach(Connection::source); // who is who is known before the first byte is held
    (silent ? held : cut).addAll(directions);
    connections.stream().filter(c -> c.touches(cut)).forEach(Connection::close);
  }

  /** Lets everything through. */
  public void heal() {
    held.clear();
    cut.clear();
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept(ServerSocket proxy, int node, int port) {
    while (!closed) {
      try {
        Socket near = proxy.accept();
        Connection connection = new Connection(near, proxy.getLocalPort(), node);
        connections.add(connection);
        Thread.ofVirtual().start(() -> connection.open(port));
      } catch (IOException e) {
        return; // the proxy was closed
      }
    }
  }

  private void awaitOpen(Direction direction) throws IOException {
    lock.lock();
    try {
      while (held.contains(direction)) {
        changed.await();
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    } finally {
      lock.unlock();
    }
  }

  /** One connection of one node to another. */
  private final class Connection {
    private final Socket near;
    private final Socket far = new Socket();
    private final int proxyPort;
    private final int target;
    private final AtomicInteger ended = new AtomicInteger();
    private int source = UNKNOWN;
    private boolean asked;

    Connection(Socket near, int proxyPort, int target) {
      this.near = near;
      this.proxyPort = proxyPort;
      this.target = target;
    }

    synchronized int source() {
      Peers known = peers;
      if (!asked && known != null) {
        try {
          source = known.whose(near.getPort(), proxyPort).orElse(UNKNOWN);
          asked = true;
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return source;
    }

    private Direction there() {
      return new Direction(source(), target);
    }

    private Direction back() {
      return new Direction(target, source());
    }

    boolean touches(Set<Direction> directions) {
      return directions.contains(there()) || directions.contains(back());
    }

    void open(int port) {
      try {
        if (touches(cut)) {
          close();
          return;
        }
        awaitOpen(there()); // neither a SYN
        awaitOpen(back()); // nor its answer comes through
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 5000);
        Thread.ofVirtual().start(() -> pump(near, far, true));
        pump(far, near, false);
      } catch (IOException | UncheckedIOException e) {
        close(); // the target does not listen, or the source has gone
      }
    }

    private void pump(Socket from, Socket to, boolean there) {
      byte[] bytes = new byte[1 << 16];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
          awaitOpen(there ? there() : back());
          out.write(bytes, 0, n);
        }
        awaitOpen(there ? there() : back());
        to.shutdownOutput();
        if (ended.incrementAndGet() == 2) {
          close(false);
        }
      } catch (IOException | UncheckedIOException e) {
        close();
      }
    }

    /** Resets both ends, as those of a dead link are. */
    void close() {
      close(true);
    }

    private void close(boolean reset) {
      connections.remove(this);
      for (Socket socket : List.of(near, far)) {
        try {
          if (reset && socket.isConnected()) {
            socket.setSoLinger(true, 0);
          }
          socket.close();
        } catch (IOException e) {
          // it is closed, which is what was asked for
        }
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    heal();
    for (ServerSocket proxy : proxies) {
      try {
        proxy.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    connections.forEach(Connection::close);
  }
}
