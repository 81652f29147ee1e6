package io.millrace.it.chaos;

import io.millrace.it.chaos.Network.Direction;
import java.util.Set;

/** Nothing comes through in some directions between nodes. */
final class Partition implements Fault {
  private final Network network;
  private final String name;
  private final Set<Direction> directions;
  private final boolean silent;

  /**
   * @param name what it is called in the time line
   * @param silent whether bytes are held back; else connections are reset
   */
  Partition(Network network, String name, Set<Direction> directions, boolean silent) {
    this.network = network;
    this.name = name;
    this.directions = directions;
    this.silent = silent;
  }

  @Override
  public String describe() {
    return name + (silent ? ", packets lost" : ", connections reset");
  }

  @Override
  public void begin() {
    network.part(directions, silent);
  }

  @Override
  public void end() {
    network.heal();
  }

  @Override
  public boolean isolates() {
    return true;
  }
}
