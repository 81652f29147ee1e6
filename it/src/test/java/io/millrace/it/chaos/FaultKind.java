package io.millrace.it.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What can go wrong; {@link Faults} draws where. */
enum FaultKind {
  /** One node, or all at once. */
  KILL,
  /** One node stands still and comes back. */
  STOP,
  /** A minority on one side, the others on the other. */
  PARTITION,
  /** What a minority says is not heard, or it hears nothing. */
  ONE_WAY,
  /** Two nodes that do not reach each other, while the others reach both. */
  PARTIAL,
  /** Another node becomes cluster manager. */
  HANDOVER,
  /** One node is stopped in order and started. */
  RESTART,
  /** The disk of one node is full. */
  DISK,
  /** What one node writes takes longer. */
  SLOW_DISK,
  /** The time of day of one node jumps. */
  CLOCK,
  /** All nodes are stopped in order and started, one after the other. */
  ROLLING,
  /** The same, from stock to Millrace or back. */
  UPGRADE;

  /** What a run of seconds draws from: a rolling restart takes half a minute. */
  static final List<FaultKind> SHORT =
      List.of(KILL, STOP, PARTITION, ONE_WAY, PARTIAL, HANDOVER, RESTART, DISK, SLOW_DISK, CLOCK);

  /** How often it happens until all of it has happened: an upgrade is the way there and back. */
  int whole() {
    return this == UPGRADE ? 2 : 1;
  }

  /** As properties name it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Reads names separated by commas.
   *
   * @throws IllegalArgumentException for a name that is none, with all there are
   */
  static List<FaultKind> named(String names) {
    return Arrays.stream(names.split(",", -1))
        .map(String::trim)
        .distinct()
        .map(name ->
            Arrays.stream(values())
                .filter(kind -> kind.label().equals(name))
                .findFirst()
                .orElseThrow(() ->
                    new IllegalArgumentException(
                        "-Dmillrace.chaos.faults names ["
                            + name
                            + "]; there are "
                            + Arrays.stream(values()).map(FaultKind::label).toList())))
        .toList();
  }
}
