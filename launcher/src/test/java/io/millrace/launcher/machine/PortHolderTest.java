package io.millrace.launcher.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortHolderTest {
  /** 23F0 is 9200; state 0A listens, 01 is a connection; inode in the tenth column. */
  private static final String TCP =
      """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:23F0 00000000:0000 0A 00000000:00000000 00:00000000 00000000    33        0 4711 1 0
         1: 0100007F:23F1 0100007F:1234 01 00000000:00000000 00:00000000 00000000    33        0 4712 1 0
      """;

  @Test
  void namesTheProcessBehindAListeningSocket(@TempDir Path proc) throws IOException {
    procWith(proc, "nginx\n");
    assertEquals(Optional.of("nginx (pid 17)"), new PortHolder(proc, null).of(9200));
    assertEquals("9200=nginx (pid 17);", new PortHolder(proc, null).snapshot());
  }

  @Test
  void aConnectionIsNoListener(@TempDir Path proc) throws IOException {
    procWith(proc, "nginx\n");
    assertEquals(Optional.empty(), new PortHolder(proc, null).of(9201));
  }

  @Test
  void namesTheMainClassOfAJvm(@TempDir Path proc) throws IOException {
    procWith(proc, "java\n");
    Files.writeString(
        proc.resolve("17/cmdline"),
        "java\0-Dx=y\0-cp\0lib/*\0org.opensearch.bootstrap.OpenSearch\0");
    assertEquals(Optional.of("java OpenSearch (pid 17)"), new PortHolder(proc, null).of(9200));
  }

  @Test
  void fallsBackToRootsViewThenToTheUser(@TempDir Path proc) throws IOException {
    Files.createDirectories(proc.resolve("net"));
    Files.writeString(proc.resolve("net/tcp"), TCP);
    assertEquals(
        Optional.of("sshd (pid 3)"),
        new PortHolder(proc, "22=x (pid 1);9200=sshd (pid 3);").of(9200));
    assertEquals(
        Optional.of("a process of another user (uid 33)"), new PortHolder(proc, null).of(9200));
  }

  @Test
  void findsThisVeryProcess() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertFalse(PortHolder.free(socket.getLocalPort()));
      if (Files.exists(Path.of("/proc/net/tcp"))) {
        String holder = new PortHolder().of(socket.getLocalPort()).orElse("");
        assertTrue(holder.contains("(pid " + ProcessHandle.current().pid() + ")"), holder);
      }
    }
  }

  private static void procWith(Path proc, String comm) throws IOException {
    Files.createDirectories(proc.resolve("net"));
    Files.writeString(proc.resolve("net/tcp"), TCP);
    Files.createDirectories(proc.resolve("17/fd"));
    Files.writeString(proc.resolve("17/comm"), comm);
    Files.createSymbolicLink(proc.resolve("17/fd/5"), Path.of("socket:[4711]"));
  }
}
