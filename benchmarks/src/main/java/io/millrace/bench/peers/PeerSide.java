package io.millrace.bench.peers;

import java.io.IOException;
import java.nio.file.Path;

/**
 * One of the things compared.
 *
 * @param name on the command line and in tables
 * @param starter starts it
 */
public record PeerSide(String name, Starter starter) {
  /** Starts a side in an empty folder of its own. */
  @FunctionalInterface
  public interface Starter {
    Peer start(Path home) throws IOException;
  }
}
